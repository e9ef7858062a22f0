import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { isApiError } from '#contract/api-error.ts';
import { limits } from '#contract/limits.ts';
import { ChangedFile } from '#web/changed-file.ts';
import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useSite } from '../chrome/use-site.ts';
import { removeCaptions, setCaptions } from './captions-calls.ts';
import { CaptionsPicker, type PickedCaptions } from './captions-picker.tsx';
import { languageName } from './language-name.ts';
import type { CaptionTrack } from './tracks.ts';

await loadPart('upload');

interface CaptionsDialogProps {
  reelId: string;
  tracks: readonly CaptionTrack[];
  /** Called with the reel's captions after each change. */
  onChanged: (tracks: CaptionTrack[]) => void;
  onClose: () => void;
}

/** Lists the captions of a person's own reel, with buttons to add, replace and remove them. */
export default function CaptionsDialog({ reelId, tracks, onChanged, onClose }: CaptionsDialogProps) {
  const text = useText();
  const { lang } = useSite();
  const [picked, setPicked] = useState<PickedCaptions>();
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const replaces = tracks.some(({ language }) => language === picked?.language);

  async function change(result: Promise<CaptionTrack[]>) {
    setBusy(true);
    setRefused(undefined);
    try {
      onChanged(await result);
      setPicked(undefined);
    } catch (error) {
      if (error instanceof ChangedFile) {
        setPicked(undefined);
        setRefused(text('upload.chooseAgain'));
      } else setRefused(text('captions.failed', { reason: isApiError(error) ? error.sentence : '' }));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog open onClose={onClose} title={text('captions.title')} closeLabel={text('dialog.close')}>
      {tracks.length === 0 ? (
        <p className="mb-5 text-soft">{text('captions.none')}</p>
      ) : (
        <ul className="mb-5 grid gap-1">
          {tracks.map(({ language }) => (
            <li key={language} className="flex min-h-11 items-center justify-between gap-3">
              {languageName(language, lang)}
              <IconButton
                label={text('captions.remove', { language: languageName(language, lang) })}
                aria-disabled={busy || undefined}
                onClick={() => !busy && void change(removeCaptions(reelId, language))}
                className="-mr-2 text-soft hover:text-alert"
              >
                <Trash2 aria-hidden className="size-5" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div className="grid gap-5">
        <CaptionsPicker
          picked={picked}
          onPick={(file) => {
            setPicked(file);
            setRefused(undefined);
          }}
          refused={refused}
          disabled={busy}
        />
        <Button
          kind="primary"
          busy={busy}
          disabled={!picked}
          onClick={() => picked && void change(setCaptions(reelId, picked))}
        >
          {text(replaces ? 'captions.replace' : 'captions.add')}
        </Button>
        <p className="text-[0.9375rem] text-soft">
          {text('captions.most', { languages: limits.captions.languages })}
        </p>
      </div>
    </Dialog>
  );
}
