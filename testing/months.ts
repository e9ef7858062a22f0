import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { coinsOf, paiseOf, ratesOf, rupeesOf } from '#contract/rates.ts';
import { withdraw } from '#server/features/earnings/withdrawals.ts';
import { recordViews } from '#server/features/views/views.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextAt, contextOn } from './context.ts';
import { publishedReel } from './earnings.ts';

const timeZone = 'Asia/Kolkata';

/** The middle of the month so many months before this one; this month itself is now. */
export function monthsAgo(months: number, now = new Date()): Date {
  if (months === 0) return now;
  const [year = 0, month = 0] = monthOf(now, timeZone).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 - months, 15, 12));
}

/** A month as calls name it, YYYY-MM. */
export const keyOf = (at: Date) => monthOf(at, timeZone);

/** Publishes so many reels by the rules; returns their ids, the newest last. */
export async function reelsAt(
  db: Kysely<Tables>,
  creatorId: string,
  at: Date,
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push(await publishedReel(db, creatorId, at, timeZone));
  return ids;
}

/** So many different people look at a reel. */
export async function viewsAt(db: Kysely<Tables>, reelId: string, at: Date, count: number): Promise<void> {
  const views = Array.from({ length: count }, () => ({
    reelId,
    viewer: randomBytes(16),
    personId: undefined,
    bot: false,
    at,
  }));
  await recordViews(contextOn(db), views);
}

/** Asks for the money of a finished month, as its creator would; returns the withdrawal's id. */
export async function askFor(
  db: Kysely<Tables>,
  creatorId: string,
  month: string,
  at: Date,
): Promise<string> {
  const counts = await db
    .selectFrom('creator_months')
    .select(['reels', 'posts', 'stories', 'views', 'likes'])
    .where('creator_id', '=', creatorId)
    .where('month', '=', month)
    .executeTakeFirstOrThrow();
  const rates = ratesOf(month);
  const totalRupee = rupeesOf(paiseOf(coinsOf(counts, rates), rates));
  return (await withdraw(contextAt(db, at), creatorId, { userId: creatorId, month, totalRupee }))._id;
}
