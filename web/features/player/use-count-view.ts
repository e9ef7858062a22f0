import { useEffect, useRef } from 'react';
import { increaseView } from '#contract/reels.ts';
import { call } from '#web/api.ts';
import { updateViews } from '../feed/feed.ts';

/** Counts one view each time a video is shown (specification §4). `showing` changes with every showing. */
export function useCountView(id: string | undefined, showing: number): void {
  const counted = useRef(-1);
  useEffect(() => {
    if (!id || counted.current === showing) return;
    counted.current = showing;
    call(increaseView, { params: { id } }).then(
      ({ views }) => updateViews(id, views),
      // A failed count is ignored, because the displayed number already includes this view.
      () => undefined,
    );
  }, [id, showing]);
}
