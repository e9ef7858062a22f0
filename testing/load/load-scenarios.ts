import type { Kysely } from 'kysely';
import { expect } from 'vitest';
import { coinsOf, paiseOf, ratesOf, rupeesOf } from '#contract/rates.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { keyOf, monthsAgo, reelsAt, viewsAt } from '../fixtures/months.ts';
import { figure } from '../report-figure.ts';
import type { Load, LoadPlan, Worker } from './load.ts';

/** Adds a reel with 5,000 views in each of this many past months; returns the amounts that the creator can withdraw. */
export async function payeesIn(db: Kysely<Tables>, who: Worker, months: number): Promise<LoadPlan['payees']> {
  const payees: { who: Worker; month: string; totalRupee: number }[] = [];
  for (let ago = 1; ago <= months; ago += 1) {
    const at = monthsAgo(ago);
    const [reel = ''] = await reelsAt(db, who.id, at, 1);
    await viewsAt(db, reel, at, 5000);
    const rates = ratesOf(keyOf(at));
    const coins = coinsOf({ reels: 1, posts: 0, stories: 0, views: 5000, likes: 0 }, rates);
    payees.push({ who, month: keyOf(at), totalRupee: Number(rupeesOf(paiseOf(coins, rates))) });
  }
  return payees;
}

/** What was done under a load, and the responses. */
export function deedsOf({ done, answers }: Pick<Load, 'done' | 'answers'>) {
  return {
    'posts published': done.posts.size,
    'posts deleted': done.deleted.size,
    'reels published': done.reels.size,
    views: done.views,
    withdrawals: done.withdrawals.size,
    answers: [...answers].map(([status, count]) => `${status} × ${count}`).join(', '),
  };
}

/** Stops a load once each kind of action was done; all responses must have one of the `expected` statuses. */
export async function endLoad(load: Load, expected: readonly (number | 'cut')[]) {
  const { done, answers } = load;
  for (const count of [() => done.deleted.size, () => done.reels.size, () => done.withdrawals.size])
    await expect.poll(count, { timeout: 120_000 }).toBeGreaterThan(0);
  await load.stop();
  figure('under load', deedsOf(load));
  expect(done.views).toBeGreaterThan(0);
  const allowed = new Set<number | string>(expected);
  expect([...answers.keys()].filter((status) => !allowed.has(status))).toEqual([]);
}
