import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { linkCategories } from '#contract/categories.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { CaptionsPicker } from '../captions/captions-picker.tsx';
import { usePendingCaptions } from '../captions/use-pending-captions.ts';
import { useSite } from '../chrome/use-site.ts';
import type { SessionUser } from '../session/session.ts';
import { publisherOf } from '../upload/form/publisher.ts';
import { emptyReelDraft, ReelFields } from '../upload/form/reel-fields.tsx';
import { UploadForm } from '../upload/form/upload-form.tsx';
import { type ReelDraft, type SentReel, useSendReel } from '../upload/form/use-send-reel.ts';
import { video } from '../upload/media/video.ts';
import { FetchedVideo } from './fetched-video.tsx';
import { LinkForm, useLink } from './link-form.tsx';
import { LinksClosed } from './links-closed.tsx';
import { publishFetched } from './publish-fetched.ts';
import type { Fetched } from './use-fetch-link.ts';

/**
 * Publishes a video from a link or a file, with text, five categories and captions. It is cleared on success and kept
 * on failure.
 */
export function LinkReelForm({ user, onSent }: { user: SessionUser; onSent: (sent: SentReel) => void }) {
  const text = useText();
  const { linkImport } = useSite();
  const { send, control } = useSendReel();
  const captions = usePendingCaptions();
  const form = useForm<ReelDraft>({ defaultValues: emptyReelDraft });
  const link = useLink();
  const [fetched, setFetched] = useState<Fetched>();
  const [fetching, setFetching] = useState(false);
  const [mine, setMine] = useState(false);
  const [mineError, setMineError] = useState<string>();
  const mineBox = useRef<HTMLInputElement>(null);
  const who = publisherOf(user);

  function isUnconfirmed(): boolean {
    // The confirmation is needed for imported videos only (decisions §3).
    if (mine || !fetched) return false;
    setMineError(text('link.mineMissing'));
    mineBox.current?.focus();
    return true;
  }

  /** Removes the video. The next one needs its own confirmation. */
  function remove() {
    setFetched(undefined);
    setMine(false);
    setMineError(undefined);
  }

  async function done(sent: SentReel) {
    link.clear();
    remove();
    onSent(sent);
    await captions.upload(sent.reel._id);
  }

  return (
    <>
      <div className="mb-8">
        {linkImport ? (
          <LinkForm
            form={link.form}
            fetched={fetched !== undefined}
            onFetched={setFetched}
            onBusy={setFetching}
            disabled={control.progress !== undefined}
          />
        ) : (
          <LinksClosed>{text('link.uploadInstead')}</LinksClosed>
        )}
      </div>
      <UploadForm
        media={video}
        form={form}
        draft="reel-by-link"
        arrived={
          fetched && {
            shown: <Arrived fetched={fetched} onRemove={remove} />,
            publish: async () => await done(await publishFetched(fetched, form.getValues(), who)),
          }
        }
        isIncomplete={async () => isUnconfirmed() || (await captions.isChanged())}
        isAwaited={fetching}
        send={async (picked) => await done(await send(picked, form.getValues, who))}
        control={control}
        refused="upload.reelRefused"
        failed="upload.reelFailed"
      >
        <ReelFields form={form} offered={linkCategories} />
        <CaptionsPicker {...captions.field} optional={text('upload.optional')} />
        {fetched && (
          <Checkbox
            ref={mineBox}
            label={text('link.mine')}
            required
            error={mineError}
            checked={mine}
            onChange={(event) => {
              setMine(event.target.checked);
              setMineError(undefined);
            }}
          />
        )}
      </UploadForm>
    </>
  );
}

/** An imported video, shown in the place of a picked file. */
function Arrived({ fetched, onRemove }: { fetched: Fetched; onRemove: () => void }) {
  const text = useText();
  return (
    <div className="grid content-start gap-3">
      <FetchedVideo fetched={fetched} />
      <p className="text-[0.9375rem] text-soft">{text('link.source', { address: fetched.sourceUrl })}</p>
      {fetched.duplicate && <p className="text-[0.9375rem] text-soft">{text('upload.duplicate')}</p>}
      <Button onClick={onRemove}>{text('link.remove')}</Button>
    </div>
  );
}
