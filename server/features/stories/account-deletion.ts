import type { Transaction } from 'kysely';
import { type Moment, monthOf } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { MonthChange } from '../earnings/months.ts';
import * as queries from './stories.queries.ts';

/** Deletes a person's stories. Returns what their month loses, and the keys of the files. */
export async function forgetStories(
  trx: Transaction<Tables>,
  personId: string,
  { now, timeZone }: Moment,
): Promise<{ lost: Pick<MonthChange, 'stories'> }> {
  const stories = await queries.lockStanding(trx, personId);
  await queries.emptyStories(trx, personId, now);
  const month = monthOf(now, timeZone);
  const ofThisMonth = stories.filter(
    (story) => !story.duplicate && monthOf(story.published_at, timeZone) === month,
  );
  return { lost: { stories: ofThisMonth.length } };
}
