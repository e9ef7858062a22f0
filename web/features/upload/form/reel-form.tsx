import { useForm } from 'react-hook-form';
import { CaptionsPicker } from '#web/features/captions/captions-picker.tsx';
import { usePendingCaptions } from '#web/features/captions/use-pending-captions.ts';
import type { SessionUser } from '#web/features/session/session.ts';
import { useText } from '#web/text.tsx';
import type { Picked } from '../media/media.ts';
import { video } from '../media/video.ts';
import { publisherOf } from './publisher.ts';
import { emptyReelDraft, ReelFields } from './reel-fields.tsx';
import { UploadForm } from './upload-form.tsx';
import type { QueueSlot } from './upload-queue-forms.tsx';
import { type ReelDraft, type SentReel, useSendReel } from './use-send-reel.ts';

/** The form for a reel: video, text fields, up to three categories, and captions. */
export function ReelForm({
  user,
  slot,
  onSent,
}: {
  user: SessionUser;
  slot: QueueSlot;
  onSent: (sent: SentReel) => void;
}) {
  const text = useText();
  const { send, control } = useSendReel();
  const captions = usePendingCaptions();
  const form = useForm<ReelDraft>({ defaultValues: emptyReelDraft });

  async function publish(picked: Picked) {
    const sent = await send(picked, form.getValues, publisherOf(user));
    onSent(sent);
    await captions.upload(sent.reel._id);
  }

  return (
    <UploadForm
      media={video}
      form={form}
      draft="reel"
      slot={slot}
      send={publish}
      isIncomplete={captions.isChanged}
      control={control}
      refused="upload.reelRefused"
      failed="upload.reelFailed"
    >
      <ReelFields form={form} />
      <CaptionsPicker {...captions.field} optional={text('upload.optional')} />
    </UploadForm>
  );
}
