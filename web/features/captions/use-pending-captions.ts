import { useState } from 'react';
import { useText } from '#web/text.tsx';
import { notify } from '#web/ui/notices.ts';
import { setCaptions } from './captions-calls.ts';
import type { PickedCaptions } from './captions-picker.tsx';

/** Captions chosen for a video that is not published yet. */
export function usePendingCaptions() {
  const text = useText();
  const [picked, pick] = useState<PickedCaptions>();

  /** Uploads the captions for the published reel, and clears the choice. */
  async function upload(reelId: string) {
    if (!picked) return;
    // The reel is published even if the captions fail.
    await setCaptions(reelId, picked).catch(() => notify('error', text('captions.notAdded')));
    pick(undefined);
  }
  return { picked, pick, upload };
}
