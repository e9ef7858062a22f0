import { type SetStateAction, useRef, useState } from 'react';
import { isReadable } from '#web/changed-file.ts';
import { useText } from '#web/text.tsx';
import { notify } from '#web/ui/notices.ts';
import { setCaptions } from './captions-calls.ts';
import type { PickedCaptions } from './captions-picker.tsx';

/** Captions chosen for a video that is not published yet; `field` is given to the picker. */
export function usePendingCaptions() {
  const text = useText();
  const [picked, setPicked] = useState<PickedCaptions>();
  const [refused, setRefused] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);

  function onPick(next: SetStateAction<PickedCaptions | undefined>) {
    setPicked(next);
    setRefused(undefined);
  }

  /** Whether the file must be chosen again; then the picker says so. Asked before the video is sent. */
  async function isChanged(): Promise<boolean> {
    if (!picked || (await isReadable(picked.file))) return false;
    setPicked(undefined);
    setRefused(text('upload.chooseAgain'));
    button.current?.focus();
    return true;
  }

  /** Uploads the captions for the published reel, and clears the choice. */
  async function upload(reelId: string) {
    if (!picked) return;
    // The reel is published even if the captions fail.
    await setCaptions(reelId, picked).catch(() => notify('error', text('captions.notAdded')));
    setPicked(undefined);
  }
  return { field: { picked, onPick, refused, button }, isChanged, upload };
}
