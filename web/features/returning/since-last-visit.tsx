import { useQuery } from '@tanstack/react-query';
import { runWhenIdle } from '#web/run-when-idle.ts';
import { takeLastVisit } from './last-visit.ts';
import type { NewSinceProps } from './new-since-props.ts';

/** When the visit before this one was, and what says what is new since; null if there is nothing to say. */
async function load() {
  await new Promise<void>(runWhenIdle);
  const before = takeLastVisit();
  if (!before) return null;
  // Without a network the page is complete without it.
  const part = await import('./new-since.tsx').catch(() => undefined);
  return part ? { NewSince: part.default, before } : null;
}

/**
 * What is new on Home since the last visit of this device. The page is the same for everybody, so this comes later, and only
 * for those who came before. A visit lasts as long as the page is not loaded again, whatever else of the site is opened.
 */
export function SinceLastVisit(feed: Omit<NewSinceProps, 'before'>) {
  const { data } = useQuery({
    queryKey: ['last visit'],
    queryFn: load,
    networkMode: 'always',
    staleTime: 'static',
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data ? <data.NewSince {...feed} before={data.before} /> : null;
}
