import { useEffect, useRef } from 'react';
import { increaseView } from '#contract/reels.ts';
import { call } from '#web/api.ts';
import { setKnownViews } from '../feed/feed.ts';

/** Each video shown triggers one view increment (specification §4); `showing` tells one showing from the next. */
export function useCountView(id: string | undefined, showing: number): void {
  const counted = useRef(-1);
  useEffect(() => {
    if (!id || counted.current === showing) return;
    counted.current = showing;
    call(increaseView, { params: { id } }).then(
      ({ views }) => setKnownViews(id, views),
      // Watching goes on where counting could not: the number on the screen is the stored one plus this view.
      () => undefined,
    );
  }, [id, showing]);
}
