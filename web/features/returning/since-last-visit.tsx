import { type ComponentType, useEffect, useState } from 'react';
import { runWhenIdle } from '#web/run-when-idle.ts';
import { takeLastVisit } from './last-visit.ts';
import type { NewSinceProps } from './new-since-props.ts';

/**
 * What is new on Home since the last visit of this device. The page is the same for everybody, so this comes later, and only
 * for those who came before.
 */
export function SinceLastVisit(feed: Omit<NewSinceProps, 'before'>) {
  const [later, setLater] = useState<{ NewSince: ComponentType<NewSinceProps>; before: Date }>();
  useEffect(() => {
    let shown = true;
    runWhenIdle(async () => {
      const before = shown && takeLastVisit();
      if (!before) return;
      // Without a network the page is complete without it.
      const part = await import('./new-since.tsx').catch(() => undefined);
      if (shown && part) setLater({ NewSince: part.default, before });
    });
    return () => {
      shown = false;
    };
  }, []);
  return later ? <later.NewSince {...feed} before={later.before} /> : null;
}
