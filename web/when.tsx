import { useSyncExternalStore } from 'react';
import { useText } from './text.tsx';
import { useHydrated } from './ui/hydrated.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * When something happened: how long ago in the last seven days, and its day before that. A page from the server, which is
 * the same for everybody and for as long as caches keep it, has the day; the browser makes it relative once it has taken over.
 */
export function When({ at, className }: { at: string; className?: string }) {
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

/** One clock for all times of a page; it runs while there is one. */
function everyMinute(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tell, minute);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tell() {
  current = Date.now();
  for (const listener of listeners) listener();
}
