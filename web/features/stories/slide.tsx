import { useEffect, useEffectEvent, useState } from 'react';
import { Picture } from '../posts/picture.tsx';
import { sawStory } from './saw-story.ts';
import { isStillThere, type ShownStory } from './stories.ts';
import { useTimer } from './use-timer.ts';

interface SlideProps {
  story: ShownStory;
  /** How long it is shown. */
  milliseconds: number;
  /** The story rests: it is held, or something covers it. */
  rests: boolean;
  isOwn: boolean;
  onOver: () => void;
  /** Called with whether its time runs now. */
  onRun: (runs: boolean) => void;
}

/** One story. Its time runs while its picture is there; one that ended or was deleted goes on to the next. */
export function Slide({ story, milliseconds, rests, isOwn, onOver, onRun }: SlideProps) {
  const [end, setEnd] = useState<'shown' | 'broken'>();
  const runs = end === 'shown' && !rests;
  useTimer(runs, milliseconds, onOver);

  const reportRun = useEffectEvent(onRun);
  useEffect(() => reportRun(runs), [runs]);

  const goOn = useEffectEvent(onOver);
  const see = useEffectEvent(() => void sawStory(story, isOwn));
  useEffect(() => {
    let isShown = true;
    // Without a network every picture is missing, and none is deleted.
    if (end === 'broken' && navigator.onLine) goOn();
    if (end === 'shown')
      void isStillThere(story).then((isThere) => {
        if (isThere) see();
        else if (isShown) goOn();
      });
    return () => {
      isShown = false;
    };
  }, [story, end]);

  return <StoryPicture story={story} onEnd={setEnd} />;
}

/** The picture of a story, which is complete on every screen. */
export const StoryPicture = ({
  story,
  onEnd,
}: {
  story: ShownStory;
  onEnd?: (end: 'shown' | 'broken') => void;
}) => (
  <Picture
    post={{ ...story, caption: story.statustext }}
    sizes="(width < 40rem) 100vw, 56vh"
    early
    className="object-contain"
    {...(onEnd ? { onEnd } : {})}
  />
);
