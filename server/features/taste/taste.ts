import { categoryOf } from '#contract/categories.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import { type getTaste, tasteDays, tasteLimits, type WatchedReel } from '#contract/taste.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { reelsById } from '../reels/reels.ts';
import { firstWords } from './first-words.ts';
import * as queries from './taste.queries.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Reels that the page about one's taste shows. */
const shownAtMost = 100;

/** What is known about somebody's taste (decisions §3). */
export async function showTaste(
  context: Context<'db' | 'config'>,
  personId: string,
): Promise<AnswerOf<typeof getTaste>> {
  const { db } = context;
  const taste = await queries.findTaste(db, personId);
  if (!taste) return { since: null, categories: [], watched: [], count: 0 };
  const { count, categories } = await queries.countWatched(db, personId);
  const watched = await queries.listWatched(db, personId, shownAtMost);
  const reels = await reelsById(
    context,
    watched.map(({ id }) => id),
    personId,
  );
  const all = categories.reduce((sum, { reels }) => sum + reels, 0);
  return {
    since: taste.switched_on_at.toISOString(),
    categories: categories.flatMap(({ category: id, reels }) => {
      const category = categoryOf(id);
      return category ? [{ category, share: reels / all }] : [];
    }),
    watched: watched.flatMap(({ id, to_end, watched_at }) => {
      const reel = reels.get(id);
      if (!reel) return [];
      const { caption, username, tileurl } = reel;
      const shown = { _id: id, caption: firstWords(caption), username, tileurl };
      return [{ ...shown, toEnd: to_end, watchedAt: watched_at.toISOString() }];
    }),
    count,
  };
}

/** Switches it on, which only who says that they are 18 or older may, or off, which forgets everything at once. */
export async function switchTaste(
  { db, clock }: Context<'db' | 'clock'>,
  personId: string,
  { on, adult }: { on: boolean; adult: boolean },
): Promise<void> {
  if (!on) return await queries.deleteTaste(db, personId);
  if (!adult) throw new Refusal('invalid_input', { what: 'adult' }, 'adult');
  await queries.insertTaste(db, personId, clock());
}

/** Adds what somebody watched, newest first, if they have switched it on; otherwise nothing is stored. */
export async function saveWatched(
  { db, clock }: Context<'db' | 'clock'>,
  personId: string,
  watched: readonly WatchedReel[],
): Promise<boolean> {
  return await inTransaction(db, async (trx) => {
    if (!(await queries.holdTaste(trx, personId))) return false;
    await queries.putWatched(trx, personId, watched, clock());
    await queries.keepNewest(trx, personId, tasteLimits.watched);
    return true;
  });
}

/** Forgets one reel that somebody watched, or all. */
export const forgetWatched = queries.deleteWatched;

/** Forgets what was watched more than 180 days ago (decisions §3). */
export async function deleteOldTaste({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  await queries.deleteWatchedBefore(db, new Date(clock().getTime() - tasteDays.kept * dayMs));
}
