import { useForm } from 'react-hook-form';
import { useText } from '#web/text.tsx';
import { CaptionsPicker } from '../captions/captions-picker.tsx';
import { useCaptionsToGive } from '../captions/use-captions-to-give.ts';
import type { SessionUser } from '../session/session.ts';
import type { Picked } from './media.ts';
import { publisherOf } from './publisher.ts';
import { blank, ReelWords } from './reel-words.tsx';
import type { Place } from './several-forms.tsx';
import { UploadForm } from './upload-form.tsx';
import { type Draft, type Sent, useSend } from './use-send.ts';
import { video } from './video.ts';

/** A video, its words, up to three categories, and captions. */
export function ReelForm({
  user,
  place,
  onSent,
}: {
  user: SessionUser;
  place: Place;
  onSent: (sent: Sent) => void;
}) {
  const text = useText();
  const { send, control } = useSend();
  const captions = useCaptionsToGive();
  const form = useForm<Draft>({ defaultValues: blank });

  async function publish(picked: Picked) {
    const sent = await send(picked, form.getValues, publisherOf(user));
    onSent(sent);
    await captions.give(sent.reel._id);
  }

  return (
    <UploadForm
      media={video}
      form={form}
      draft="reel"
      place={place}
      send={publish}
      control={control}
      refused="upload.reelRefused"
      failed="upload.reelFailed"
    >
      <ReelWords form={form} />
      <CaptionsPicker picked={captions.picked} onPick={captions.pick} optional={text('upload.optional')} />
    </UploadForm>
  );
}
