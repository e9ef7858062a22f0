import { useForm } from 'react-hook-form';
import type { Copy } from '#contract/copies.ts';
import { limits } from '#contract/limits.ts';
import { addStory, type Story } from '#contract/stories.ts';
import { call } from '#web/api.ts';
import type { SessionUser } from '#web/features/session/session.ts';
import { storiesChanged } from '#web/features/stories/stories-changed.ts';
import { Suggested } from '#web/features/suggestions/suggested.tsx';
import { useText } from '#web/text.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { photo } from '../media/photo.ts';
import { sendFile } from '../transfer/send-file.ts';
import { publisherOf } from './publisher.ts';
import { UploadForm } from './upload-form.tsx';
import type { QueueSlot } from './upload-queue-forms.tsx';
import { useTransfer } from './use-transfer.ts';

/** The form for a story: a photo with one line of text, public for a day. */
export function StoryForm({
  user,
  slot,
  onSent,
}: {
  user: SessionUser;
  slot: QueueSlot;
  onSent: (story: Story, copy: Copy | null) => void;
}) {
  const text = useText();
  const form = useForm({ defaultValues: { statustext: '' } });
  const { run, control } = useTransfer(({ file }, transfer) => sendFile('story', file, transfer));
  return (
    <UploadForm
      media={photo}
      form={form}
      draft="story"
      slot={slot}
      send={(picked) =>
        run(picked, async ({ fileUrl, fileName }) => {
          const what = { imageurl: fileUrl, fileName, type: 'image', finish: 0 };
          const body = { ...publisherOf(user), ...form.getValues(), ...what };
          const { data, copy } = await call(addStory, { body });
          void storiesChanged();
          onSent(data, copy);
        })
      }
      control={control}
      refused="upload.refused"
      failed="upload.failed"
    >
      <Suggested>
        <TextArea
          label={text('upload.statusText')}
          optional={text('upload.optional')}
          hint={text('upload.storyHint', { hours: limits.storyHours })}
          maxLength={limits.statusText}
          {...form.register('statustext')}
        />
      </Suggested>
    </UploadForm>
  );
}
