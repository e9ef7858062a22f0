import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { countedTo, type Due, type DueKind, getToday } from '#contract/today.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { TimeAgo } from '#web/time-ago.tsx';
import { ListError } from '../lists/list-error.tsx';
import { Clock } from './clock.tsx';
import { Figures } from './figures.tsx';

/** Where it is decided: a part of the console, or a command line (docs/operating.md). */
const places: Record<DueKind, { part: string } | { command: string }> = {
  reports: { part: 'reports' },
  held: { part: 'copies' },
  copies: { part: 'copies' },
  suspensions: { part: 'proposals' },
  voids: { part: 'proposals' },
  withdrawals: { part: 'withdrawals' },
  batches: { part: 'batches' },
  media: { part: 'media' },
  audit: { part: 'differences' },
  backup: { command: 'backup /backup/new' },
};

/** What waits, and what happened on the site. */
export function Today() {
  return (
    <div className="grid gap-10">
      <Waiting />
      <Figures />
    </div>
  );
}

/** What has a deadline first, then the oldest. */
function Waiting() {
  const text = useText();
  const today = useQuery({
    queryKey: ['console', 'today'],
    queryFn: ({ signal }) => call(getToday, undefined, { signal }),
    staleTime: 0,
  });
  if (today.isError && !today.data) return <ListError title={text('console.failed')} list={today} />;
  if (!today.data) return <p role="status">{text('list.loading')}</p>;
  const { data } = today.data;
  if (data.length === 0)
    return <p className="rounded-panel border border-line p-5 text-soft">{text('console.todayNone')}</p>;
  return (
    <ul className="grid max-w-form gap-2">
      {data.map((due) => (
        <li key={due.what} className="grid gap-2 rounded-panel border border-line bg-surface p-4">
          <Line due={due} />
        </li>
      ))}
    </ul>
  );
}

function Line({ due: { what, count, at, hasDeadline } }: { due: Due }) {
  const text = useText();
  const place = places[what];
  const said = text(`console.due.${what}`, { count });
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="text-lg">
          {'part' in place ? (
            <Link to={`?part=${place.part}`} className="text-link">
              {said}
            </Link>
          ) : (
            said
          )}
          {count > countedTo && '+'}
        </h2>
        <Since at={at} hasDeadline={hasDeadline} />
      </div>
      {'command' in place && (
        <code className="overflow-x-auto rounded-control bg-sunken px-3 py-2 text-[0.9375rem]">
          npm run admin -- {place.command}
        </code>
      )}
    </>
  );
}

function Since({ at, hasDeadline }: Pick<Due, 'at' | 'hasDeadline'>) {
  const text = useText();
  if (at === null) return <span className="font-semibold text-alert">{text('console.never')}</span>;
  return hasDeadline ? <Clock at={at} /> : <TimeAgo at={at} className="text-[0.9375rem] text-soft" />;
}
