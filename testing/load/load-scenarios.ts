import type { Kysely } from 'kysely';
import { expect } from 'vitest';
import type { Tables } from '#server/platform/database/tables.ts';
import { earnReleased } from '../fixtures/earnings.ts';
import { keyOf, monthsAgo } from '../fixtures/months.ts';
import { figure } from '../report-figure.ts';
import type { Load, LoadPlan, Worker } from './load.ts';

/** Adds released coins to each of this many past months; returns the amounts that the creator can withdraw. */
export async function payeesIn(db: Kysely<Tables>, who: Worker, months: number): Promise<LoadPlan['payees']> {
  const payees: { who: Worker; month: string; totalRupee: number }[] = [];
  for (let ago = 1; ago <= months; ago += 1) {
    const month = keyOf(monthsAgo(ago));
    await earnReleased(db, who.id, month);
    payees.push({ who, month, totalRupee: 1 });
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
