import type { Transaction } from 'kysely';
import { type Moment, monthOf } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { MonthChange } from '../earnings/months.ts';
import { keysOf } from '../media/urls.ts';
import * as queries from './stories.queries.ts';

/** Takes a departing person's stories away. Returns what their month loses and the keys of their files. */
export async function forgetStories(
  trx: Transaction<Tables>,
  personId: string,
  { now, timeZone }: Moment,
): Promise<{ keys: string[]; lost: Pick<MonthChange, 'stories'> }> {
  const stories = await queries.lockStanding(trx, personId);
  await queries.emptyStories(trx, personId, now);
  const month = monthOf(now, timeZone);
  const ofThisMonth = stories.filter(
    (story) => !story.duplicate && monthOf(story.published_at, timeZone) === month,
  );
  return { keys: stories.flatMap(keysOf), lost: { stories: ofThisMonth.length } };
}
