import { Link } from 'react-router';
import { rules } from '#contract/earning-rules.ts';
import type { EarningItem } from '#contract/earnings.ts';
import { useText } from '#web/text.tsx';
import { pageOf } from '../showcase/page-of.ts';
import { CopyNote } from './copy-note.tsx';

/**
 * One reel, post or story in a month: its coins, where they come from, and why some views or likes did not count. `paid` is
 * how many of its kind pay.
 */
export function ItemLine({ item, paid }: { item: EarningItem; paid: number }) {
  const text = useText();
  const { watch, shortestPaidReel } = rules;
  const { kind, counted: count, countedCoins: coins, leftOver, deletedAt } = item;
  // Operators do not review a deleted work, so it shows neither the button nor that a review was requested.
  const isUndecided = item.copy && ['found', 'asked', 'waiting'].includes(item.copy.state);
  const copy = deletedAt && isUndecided ? null : item.copy;
  const page = pageOf(kind, item._id);
  const caption = item.caption || text('items.untitled');
  return (
    <li className="border-t border-line py-3 first:border-0">
      <div className="flex items-baseline justify-between gap-4">
        <p className="min-w-0 font-semibold leading-snug">
          {page && !deletedAt ? (
            <Link to={page} className="text-link">
              {caption}
            </Link>
          ) : (
            caption
          )}
        </p>
        <p className="figures shrink-0 font-bold">{text('items.coins', { coins: item.coins })}</p>
      </div>
      <div className="text-[0.9375rem] leading-snug text-soft">
        <p>{text('items.published', { kind: text(`items.${kind}`), date: new Date(item.publishedAt) })}</p>
        {deletedAt && <p>{text('items.deleted', { date: new Date(deletedAt) })}</p>}
        {copy && <CopyNote kind={kind} id={item._id} copy={copy} />}
        {item.duplicate && !copy && <p>{text('items.copy')}</p>}
        {item.unpaid && <p>{text(`unpaid.${item.unpaid}`, { paid, seconds: shortestPaidReel })}</p>}
        <ul className="figures mt-1 grid gap-0.5">
          {item.publishedCoins > 0 && <li>{text('items.forPublishing', { coins: item.publishedCoins })}</li>}
          {item.shown > 0 && <li>{text('items.views', { shown: item.shown, watched: item.watched })}</li>}
          {count > 0 && (
            <li>{text(kind === 'post' ? 'items.forLikes' : 'items.forViews', { count, coins, leftOver })}</li>
          )}
        </ul>
        {item.uncounted.length > 0 && (
          <>
            <p className="mt-1.5 font-semibold">{text('items.uncounted')}</p>
            <ul className="figures list-disc pl-5 marker:text-line-strong">
              {item.uncounted.map(({ reason, count }) => (
                <li key={reason}>
                  {text(`uncounted.${reason}`, {
                    count,
                    kind,
                    seconds: watch.seconds,
                    share: watch.share,
                    viewsADay: watch.viewsADay,
                  })}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </li>
  );
}
