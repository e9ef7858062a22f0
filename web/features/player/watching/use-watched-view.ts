import { useEffect, useRef, useState } from 'react';
import { rules, secondsToWatch } from '#contract/earning-rules.ts';
import { type FeedReel, updateViews } from '#web/features/feed/feed.ts';
import { rememberSeen } from '../seen-reels.ts';
import { measureWatching } from './measure-watching.ts';
import { noteWatched, type Showing, sendReports, showReel } from './reports.ts';

/**
 * Reports each showing of a video to the server (specification §4), and once it was watched (decisions §4). `showing`
 * changes with every showing; `video` is on the screen.
 */
export function useWatchedView(
  reel: FeedReel | undefined,
  showing: number,
  video: HTMLVideoElement | null,
): void {
  const id = reel?._id;
  const told = useRef(-1);
  const [answered, setAnswered] = useState<{ of: number; answer: Showing }>();
  useEffect(() => {
    if (!id || told.current === showing) return;
    told.current = showing;
    rememberSeen(id);
    showReel(id).then(
      (answer) => {
        updateViews(id, answer.views);
        setAnswered({ of: showing, answer });
      },
      // A failed count is ignored, because the displayed number already includes this view.
      () => undefined,
    );
  }, [id, showing]);

  const current = answered?.of === showing ? answered.answer : undefined;
  const { visibleShare } = rules.watch;
  const seconds = secondsToWatch(reel?.duration ?? 0, rules.watch);
  useEffect(() => {
    if (!video || !current?.lease) return;
    let isVisible = false;
    const observer = new IntersectionObserver(
      (entries) => (isVisible = (entries.at(-1)?.intersectionRatio ?? 0) >= visibleShare),
      { threshold: visibleShare },
    );
    observer.observe(video);
    const stop = measureWatching(video, {
      seconds,
      isVisible: () => isVisible && document.visibilityState === 'visible',
      onWatched: (watched) => noteWatched(current, watched),
    });
    return () => {
      stop();
      observer.disconnect();
    };
  }, [video, current, seconds, visibleShare]);

  useEffect(() => sendReports, []);
}
