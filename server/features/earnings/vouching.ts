import type { Kysely } from 'kysely';
import { type MonthCounts, rules, viewsPerAccountAfter } from '#contract/rates.ts';
import { monthBefore, monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { countEstablished, countPairs } from '../views/established.ts';
import { isClosed } from './closing.ts';
import * as settings from './settings.queries.ts';
import * as queries from './vouching.queries.ts';

/** How many views and likes of a creator's month pay. */
export type PayingCounts = Pick<MonthCounts, 'views' | 'likes'>;

const nameOf = (month: string) => `views per account ${month}`;
const hour = 60 * 60 * 1000;

/**
 * How many views and likes of a month pay (docs/decisions/0057-established-accounts.md). Accounts are counted only for months above the
 * limit that pays without any account.
 */
export async function payingCountsOf(
  context: Context<'db' | 'clock' | 'config'>,
  { creatorId, month, counts }: { creatorId: string; month: string; counts: PayingCounts },
): Promise<PayingCounts> {
  const { db, config } = context;
  const limits = rules.vouching;
  const over = { views: counts.views - limits.views, likes: counts.likes - limits.likes };
  const paid = {
    views: Math.min(counts.views, limits.views),
    likes: Math.min(counts.likes, limits.likes),
  };
  if (over.views > 0) {
    const creators = await queries.creatorsToWatch(db, month);
    const each = await viewsPerAccount(context, month);
    const atMost = Math.ceil(over.views / each);
    const [accounts = 0] = await countEstablished(db, [{ creatorId, month, creators, atMost }]);
    paid.views = Math.min(counts.views, paid.views + each * accounts);
  }
  if (over.likes > 0) {
    const likes = await queries.likesOfEstablished(db, { creatorId, month, timeZone: config.timeZone });
    paid.likes = Math.min(counts.likes, paid.likes + likes);
  }
  return paid;
}

/** What a month pays by the accounts that watched the creator in it. */
export interface VouchedViews {
  /** How many views pay. */
  views: number;
  /** The established accounts; not more than let all views pay. */
  accounts: number;
  viewsPerAccount: number;
}

/** How many views of these months pay, in their order. The number of queries does not depend on how many months these are. */
export async function vouchedViewsOf(
  context: Context<'db' | 'clock' | 'config'>,
  which: readonly { creatorId: string; month: string; views: number }[],
): Promise<VouchedViews[]> {
  const months = [...new Set(which.map(({ month }) => month))];
  const creators = await queries.creatorsToWatchIn(context.db, months);
  const perAccount = await storedViewsPerAccount(context.db);
  // It is stored at the first request about a month.
  for (const month of months.filter((one) => !perAccount.has(one)))
    perAccount.set(month, await viewsPerAccount(context, month));
  const { views: baseViews, leastPerAccount } = rules.vouching;
  const asked = which.map(({ creatorId, month, views }) => {
    const each = perAccount.get(month) ?? leastPerAccount;
    const atMost = Math.max(0, Math.ceil((views - baseViews) / each));
    return { creatorId, month, views, creators: creators.get(month) ?? 0, each, atMost };
  });
  const counted = await countEstablished(context.db, asked);
  return asked.map(({ views, each }, place) => {
    const accounts = counted[place] ?? 0;
    return { views: Math.min(views, baseViews + each * accounts), accounts, viewsPerAccount: each };
  });
}

/** Whether an established account watched the creator in a month. */
export async function hasEstablishedViewer(
  { db }: Context<'db'>,
  which: { creatorId: string; month: string },
): Promise<boolean> {
  return (await countEstablishedViewers(db, which, 1)) > 0;
}

/** How many established accounts watched the creator in a month; stops counting at `atMost`. */
export async function countEstablishedViewers(
  db: Kysely<Tables>,
  { creatorId, month }: { creatorId: string; month: string },
  atMost = 1_000_000_000,
): Promise<number> {
  const creators = await queries.creatorsToWatch(db, month);
  const [accounts = 0] = await countEstablished(db, [{ creatorId, month, creators, atMost }]);
  return accounts;
}

/**
 * How many views each established account lets pay in a month. It is stored at the first request in the second hour of the month or later,
 * when the last views of the month before are written, and never changes.
 */
async function viewsPerAccount(context: Context<'db' | 'clock' | 'config'>, month: string): Promise<number> {
  const { db } = context;
  const stored = await settings.findSetting(db, nameOf(month));
  if (stored !== undefined) return Number(stored);
  const derived = await deriveViewsPerAccount(db, month);
  if (isFullyWritten(context, monthBefore(month)))
    await settings.insertSetting(db, nameOf(month), String(derived));
  return derived;
}

/** Whether a month ended an hour ago: its last views are written by then. */
export function isFullyWritten(context: Context<'clock' | 'config'>, month: string): boolean {
  return month < firstUnwrittenMonth(context);
}

/** The first month that is not. */
export function firstUnwrittenMonth({ clock, config }: Context<'clock' | 'config'>): string {
  return monthOf(new Date(clock().getTime() - hour), config.timeZone);
}

/** The value derived from the month before; 200 in the site's first month. */
export async function deriveViewsPerAccount(db: Kysely<Tables>, month: string): Promise<number> {
  const before = monthBefore(month);
  const creators = await queries.creatorsToWatch(db, before);
  const [views, pairs] = [
    await queries.viewsOfMonth(db, before),
    await countPairs(db, { month: before, creators }),
  ];
  return viewsPerAccountAfter({ views, pairs }, rules.vouching);
}

/** Deletes the stored values of months that cannot have been requested yet, after views were written with times in the past. */
export async function deleteViewsPerAccount(db: Kysely<Tables>): Promise<void> {
  for (const month of (await storedViewsPerAccount(db)).keys())
    if (!(await isClosed(db, month))) await settings.deleteSetting(db, nameOf(month));
}

/** The stored value of each month. */
export async function storedViewsPerAccount(db: Kysely<Tables>): Promise<Map<string, number>> {
  const found = await settings.findSettings(db, nameOf(''));
  return new Map(found.map(({ name, value }) => [name.slice(nameOf('').length), Number(value)]));
}
