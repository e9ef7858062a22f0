import { useSyncExternalStore } from 'react';
import { useText } from './text.tsx';
import { useHydrated } from './ui/use-hydrated.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * The time of an event: relative ("2 h ago") in the last seven days, otherwise the date. Pages from the server are cached and
 * therefore contain the date; the browser shows the relative time after hydration.
 */
export function TimeAgo({ at, className }: { at: string; className?: string }) {
  const text = useText();
  const hydrated = useHydrated();
  const now = useSyncExternalStore(
    everyMinute,
    () => current,
    () => current,
  );
  const date = new Date(at);
  const age = Math.max(0, now - date.getTime());
  const ago = (unit: 'minutes' | 'hours' | 'days', length: number) =>
    text(`when.${unit}`, { count: Math.floor(age / length) });
  const words = () => {
    if (!hydrated || age >= 7 * day) return text('date', { date });
    if (age < minute) return text('when.now');
    if (age < hour) return ago('minutes', minute);
    return age < day ? ago('hours', hour) : ago('days', day);
  };
  return (
    <time dateTime={at} title={text('moment', { at: date })} className={className}>
      {words()}
    </time>
  );
}

let current = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer serves all times of a page; it runs while at least one is shown. */
function everyMinute(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, minute);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick() {
  current = Date.now();
  for (const listener of listeners) listener();
}
