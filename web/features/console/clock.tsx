import { AlarmClock } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useText } from '#web/text.tsx';
import { classNames } from '#web/ui/class-names.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The time that is left until a deadline, or has passed since: then it is red. */
export function Clock({ at }: { at: string }) {
  const text = useText();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minute / 2);
    return () => clearInterval(timer);
  }, []);
  const left = new Date(at).getTime() - now;
  const isLate = left <= 0;
  const length = Math.abs(left);
  const [unit, size] =
    length < hour
      ? (['minutes', minute] as const)
      : length < 2 * day
        ? (['hours', hour] as const)
        : (['days', day] as const);
  const time = text(`console.clock.${unit}`, { count: Math.floor(length / size) });
  return (
    <time
      dateTime={at}
      title={text('moment', { at: new Date(at) })}
      className={classNames(
        'inline-flex items-center gap-1.5 text-[0.9375rem] font-semibold',
        isLate ? 'text-alert' : 'text-soft',
      )}
    >
      <AlarmClock aria-hidden className="size-4" />
      {text(isLate ? 'console.clock.late' : 'console.clock.left', { time })}
    </time>
  );
}
