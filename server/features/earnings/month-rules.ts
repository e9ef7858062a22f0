import type { Kysely } from 'kysely';
import { type PaidPublications, rulesOf } from '#contract/rates.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { hasPeople } from '../people/people.ts';
import * as queries from './settings.queries.ts';
import { findWatchingStart, monthAfter, replaceWatchingStart } from './watching-start.ts';

/** How many publications pay from this month (YYYY-MM) on, until the next version. */
interface Version extends PaidPublications {
  from: string;
}

const name = 'paid publications';

/**
 * Stores how many publications of a month pay. The first version begins with the rules of watched views, a changed setting with the next
 * month: the rules of a month do not change during or after it.
 */
export async function storePaidPublications(
  { db, clock, config }: Context<'db' | 'clock' | 'config'>,
  paid: PaidPublications,
): Promise<void> {
  const current = monthOf(clock(), config.timeZone);
  const [versions, start] = [await findVersions(db), await findWatchingStart(db)];
  const last = versions.at(-1);
  if (last && isSame(last, paid)) return;
  // Until it begins, the first version can still change; on a site without people it begins with the current month.
  const isFree = start && (start.month > current || (!last && !(await hasPeople(db))));
  const from = isFree ? start.month : monthAfter(current);
  const kept = versions.filter((version) => version.from < from);
  await queries.replaceSetting(db, name, JSON.stringify([...kept, { from, ...paid }]));
}

const isSame = (one: PaidPublications, other: PaidPublications) =>
  one.reels === other.reels && one.posts === other.posts && one.stories === other.stories;

async function findVersions(db: Kysely<Tables>): Promise<Version[]> {
  return JSON.parse((await queries.findSetting(db, name)) ?? '[]');
}

const vouching = 'vouching';

/**
 * Stores once, at the first start with these rules, from which month on it matters who watched. On a site that has people it is the next
 * one, because this was not recorded for the whole current month.
 */
export async function storeVouchingStart({
  db,
  clock,
  config,
}: Context<'db' | 'clock' | 'config'>): Promise<void> {
  if (await findVouchingStart(db)) return;
  const current = monthOf(clock(), config.timeZone);
  const month = (await hasPeople(db)) ? monthAfter(current) : current;
  const watched = (await findWatchingStart(db))?.month ?? month;
  await queries.insertSetting(db, vouching, watched > month ? watched : month);
}

/** Undefined for a database on which no server with these rules has started. */
export function findVouchingStart(db: Kysely<Tables>): Promise<string | undefined> {
  return queries.findSetting(db, vouching);
}

const changedCopies = 'changed copies';

/**
 * Stores once, at the first start with these rules, from which month on a modified copy pays nothing: on a site that has people the next
 * one, so that no month changes its rules while it runs.
 */
export async function storeCopiesStart({
  db,
  clock,
  config,
}: Context<'db' | 'clock' | 'config'>): Promise<void> {
  const current = monthOf(clock(), config.timeZone);
  await queries.insertSetting(db, changedCopies, (await hasPeople(db)) ? monthAfter(current) : current);
}

/**
 * Whether addresses can be verified in a month, so that only accounts with a verified one are established. It is stored when it is first
 * needed for a month, with the current setting, so that the rules of a month do not change while it runs.
 */
export async function mailOfMonth(db: Kysely<Tables>, month: string, isOn: boolean): Promise<boolean> {
  const name = `mail ${month}`;
  const stored = await queries.findSetting(db, name);
  if (stored !== undefined) return stored === 'on';
  await queries.insertSetting(db, name, isOn ? 'on' : 'off');
  // Another process may have been first.
  return (await queries.findSetting(db, name)) === 'on';
}

/** The rules of a month, as clients show them. */
export interface ShownMonthRules {
  startsIn: string | null;
  verifiedOnly: boolean;
  paidPublications: PaidPublications;
}

/**
 * Reads the stored rules once, because they do not change while a server runs. Returns a function that gives the rules of the current month
 * or a later one.
 */
export async function openShownMonthRules(
  { db, clock, config, outbox }: Context<'db' | 'clock' | 'config' | 'outbox'>,
  setting: PaidPublications,
): Promise<(month: string) => ShownMonthRules> {
  const versions = await findVersions(db);
  const start = (await findWatchingStart(db))?.month;
  const current = monthOf(clock(), config.timeZone);
  const hasMail = await mailOfMonth(db, current, outbox.isOn);
  return (month) => {
    const startsIn = start !== undefined && start > month ? start : null;
    const { reels, posts, stories } = versions.findLast(({ from }) => from <= (startsIn ?? month)) ?? setting;
    const verifiedOnly = startsIn === null && month === current ? hasMail : outbox.isOn;
    return { startsIn, verifiedOnly, paidPublications: { reels, posts, stories } };
  };
}

/** Sets from which month on all these rules hold, on a site without any activity. */
export async function beginRulesWith(
  db: Kysely<Tables>,
  { month, paid, paceUntil }: { month: string; paid: PaidPublications; paceUntil: Date },
): Promise<void> {
  await replaceWatchingStart(db, { month, paceUntil });
  await queries.replaceSetting(db, name, JSON.stringify([{ from: month, ...paid }]));
  await queries.replaceSetting(db, vouching, month);
  await queries.replaceSetting(db, changedCopies, month);
}

/** The rules by which months pay. */
export interface MonthRules {
  /** Whether the number of paying views and likes of a month depends on who watched. */
  vouches(month: string): boolean;
  /** Whether a modified copy pays nothing in a month, like one with the same bytes. */
  copies(month: string): boolean;
  /** Undefined for a month from before these rules. */
  paidPublications(month: string): PaidPublications | undefined;
  /** Why the publication of a reel pays nothing in a month; null if it can pay. */
  unpaidReel(month: string, reel: { seconds: number; still?: boolean }): 'too_short' | 'still' | null;
}

export async function findMonthRules(db: Kysely<Tables>): Promise<MonthRules> {
  const versions = await findVersions(db);
  const start = await findVouchingStart(db);
  const copiesStart = await queries.findSetting(db, changedCopies);
  const paidPublications = (month: string) => versions.findLast(({ from }) => from <= month);
  return {
    paidPublications,
    vouches: (month) => start !== undefined && start <= month,
    copies: (month) => copiesStart !== undefined && copiesStart <= month,
    unpaidReel(month, { seconds, still }) {
      if (!paidPublications(month)) return null;
      // Containers round the duration.
      if (seconds < rulesOf(month).shortestPaidReel - 0.05) return 'too_short';
      return still ? 'still' : null;
    },
  };
}
