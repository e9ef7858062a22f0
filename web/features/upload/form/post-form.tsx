import { useForm } from 'react-hook-form';
import type { Copy } from '#contract/copies.ts';
import { addPost, type Post } from '#contract/posts.ts';
import { call } from '#web/api.ts';
import type { SessionUser } from '#web/features/session/session.ts';
import { photo } from '../media/photo.ts';
import { sendFile } from '../transfer/send-file.ts';
import { type PostDraft, PostFields } from './post-fields.tsx';
import { publisherOf } from './publisher.ts';
import { UploadForm } from './upload-form.tsx';
import type { QueueSlot } from './upload-queue-forms.tsx';
import { useTransfer } from './use-transfer.ts';

/** The form for a photo post: photo, caption and description. */
export function PostForm({
  user,
  slot,
  onSent,
}: {
  user: SessionUser;
  slot: QueueSlot;
  onSent: (post: Post, copy: Copy | null) => void;
}) {
  const form = useForm<PostDraft>({ defaultValues: { caption: '', description: '' } });
  const { run, control } = useTransfer(({ file }, transfer) => sendFile('post', file, transfer));
  return (
    <UploadForm
      media={photo}
      form={form}
      draft="post"
      slot={slot}
      send={(picked) =>
        run(picked, async ({ fileUrl, fileName }) => {
          const body = { ...publisherOf(user), ...form.getValues(), imageurl: fileUrl, fileName };
          const { data, copy } = await call(addPost, { body });
          onSent(data, copy);
        })
      }
      control={control}
      refused="upload.refused"
      failed="upload.failed"
      pickerClassName="aspect-4/5"
    >
      <PostFields form={form} />
    </UploadForm>
  );
}
