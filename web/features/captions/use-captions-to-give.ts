import { useState } from 'react';
import { useText } from '#web/text.tsx';
import { notify } from '#web/ui/notices.ts';
import type { PickedCaptions } from './captions-picker.tsx';
import { setCaptions } from './change-captions.ts';

/** Captions picked beside a video that is still to be published. */
export function useCaptionsToGive() {
  const text = useText();
  const [picked, pick] = useState<PickedCaptions>();

  /** Gives them to the reel that was just published, and forgets them. */
  async function give(reelId: string) {
    if (!picked) return;
    // The reel is there whatever becomes of them.
    await setCaptions(reelId, picked).catch(() => notify('error', text('captions.notAdded')));
    pick(undefined);
  }
  return { picked, pick, give };
}
