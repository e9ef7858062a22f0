import { useQuery } from '@tanstack/react-query';
import type { getActivity } from '#contract/activity.ts';
import type { Result } from '#contract/endpoint.ts';
import { useText } from '#web/text.tsx';
import { ListError } from '../lists/list-error.tsx';
import { activityOptions, asDate } from './earnings.ts';

type Told = Result<typeof getActivity>['data'];

/** This month's activity as reported by the app, without their worth, because they cannot be withdrawn; a placeholder if there is no person. */
export function ActivityFigures({ userId }: { userId: string }) {
  const text = useText();
  const activity = useQuery({ ...activityOptions(userId), enabled: userId !== '' });
  if (!activity.isPending && !activity.data)
    return <ListError title={text('earnActivity.failed')} list={activity} />;
  const { data } = activity;
  // While the figures load, their lines are reserved, so that the content below does not move.
  const when = (format: (activity: Told) => string) => (data ? format(data) : '\u00a0');
  return (
    <section
      aria-labelledby={data ? 'activity-month' : undefined}
      aria-busy={!data}
      className="mt-6 rounded-panel border border-line bg-surface px-5 py-5"
    >
      {data ? (
        <h2 id="activity-month" className="text-xl">
          {text('earnActivity.month', { month: asDate(data.month) })}
        </h2>
      ) : (
        <p className="text-xl">{'\u00a0'}</p>
      )}
      <dl className="mt-4 grid grid-cols-2 gap-x-4 gap-y-4">
        {(['scrolls', 'reelLikes', 'photoLikes', 'activeHours'] as const).map((kind) => (
          <div key={kind} className="flex flex-col-reverse justify-end">
            <dt className="text-[0.9375rem] text-soft">{text(`earnActivity.${kind}`)}</dt>
            <dd className="figures text-2xl font-bold leading-tight">
              {when((figures) => text('figure', { count: figures[kind] }))}
            </dd>
          </div>
        ))}
        <div className="col-span-2 border-t border-line" />
        <div className="flex flex-col-reverse justify-end">
          <dt className="text-[0.9375rem] text-soft">{text('earnActivity.coins')}</dt>
          <dd className="figures text-2xl font-bold leading-tight text-accent-text">
            {when(({ coins }) => text('figure', { count: coins }))}
          </dd>
        </div>
      </dl>
      <p className="mt-4 text-[0.9375rem] leading-snug">{text('earnActivity.notPaid')}</p>
      <p className="mt-1 text-[0.9375rem] text-soft">
        {when(({ asOf }) => text('earnActivity.asOf', { at: new Date(asOf) }))}
      </p>
    </section>
  );
}
