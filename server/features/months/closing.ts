import { rates, rules } from '#contract/earning-rules.ts';
import { monthBefore, monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { keepTablesInPlace } from '#server/platform/database/places.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import type { JobKind } from '#server/platform/jobs.ts';
import * as states from '../month-counts/month-states.ts';
import { holdMonths } from '../month-counts/months.ts';
import { viewerOfPerson } from '../views/viewers.ts';
import * as queries from './closing.queries.ts';
import { marksOfMonths } from './marks.ts';
import { resultOf } from './money.ts';
import { likesByAccounts } from './vouching.ts';

export type { CountedMonth } from './closing.queries.ts';

/*
 * Each month is closed once (decisions §4, docs/decisions/0088-closing-of-months.md). First one transaction marks it closed, and stores which
 * accounts were established and how many views they let pay. While anybody still writes events of the month it is tried again a minute later;
 * whatever comes after it is refused. Then the result of each creator is written, in batches, so that a process that is killed goes on where it stopped.
 */

/** Closes finished months; runs every minute. */
export const closingJob: JobKind<object> = {
  name: 'close-months',
  retries: 0,
  seconds: 60 * 60,
  isPatient: true,
};

const minute = 60 * 1000;
const dayMs = 24 * 60 * minute;
/** A month is closed so long after its end. */
const waitMs = 15 * minute;
/** Creators whose results are written in one transaction. */
const atOnce = 200;

type Needed = Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>;

/** Closes and counts the months that ended a quarter of an hour ago, the earliest first; returns them. */
export async function closeMonths(context: Needed, signal?: AbortSignal): Promise<string[]> {
  const { db, clock, config } = context;
  const ended = monthBefore(monthOf(new Date(clock().getTime() - waitMs), config.timeZone));
  const monthIn = (ms: number) => monthOf(new Date(clock().getTime() + ms), config.timeZone);
  // Rows are made ahead, since the transaction that makes one lets others wait. A month in which nothing happened is closed, too: an event of
  // it that is still under way comes too late then.
  await inTransaction(db, async (trx) => void (await holdMonths(trx, [ended, monthIn(0), monthIn(dayMs)])));
  const counted: string[] = [];
  for (const month of await states.listUncounted(db, ended)) {
    if (!(await closeMonth(context, month))) break;
    while (!(await countSome(context, month))) signal?.throwIfAborted();
    counted.push(month);
  }
  return counted;
}

/** Marks a month as closed, and stores its established accounts. Returns false while events of it are still being written. */
async function closeMonth({ db, clock, config, keyring, outbox }: Needed, month: string): Promise<boolean> {
  const viewerHashOf = (id: string) => viewerOfPerson(keyring.secret('viewers'), id).toString('hex');
  return await inTransaction(db, async (trx) => {
    await keepTablesInPlace(trx);
    const row = await states.lockMonthIfFree(trx, month);
    if (!row || row.closed_at) return row !== undefined;
    const hasMail = outbox.isOn;
    await states.setClosed(trx, { month, hasMail, rules: JSON.stringify({ rates, rules }) }, clock());
    const limits = await states.limitsOf(trx, month);
    const terms = { month, limits, hasMail, timeZone: config.timeZone };
    await queries.freezeAccounts(trx, terms, viewerHashOf);
    return true;
  });
}

/** Writes the results of the next creators of a closed month; returns whether they are the last. */
async function countSome({ db, clock, config }: Needed, month: string): Promise<boolean> {
  return await inTransaction(db, async (trx) => {
    await keepTablesInPlace(trx);
    // Of two processes one waits, and goes on behind the other's batch.
    const { counted_at } = await states.lockMonth(trx, month);
    if (counted_at) return true;
    const rows = await queries.nextToCount(trx, month, atOnce);
    const ids = rows.map((row) => row.creator_id);
    const of = { month, timeZone: config.timeZone };
    const likes = await likesByAccounts(trx, 'established_accounts', ids, of);
    const marks = await marksOfMonths(trx, rows, of);
    await queries.insertResults(
      trx,
      month,
      rows.map((row) => ({
        ...resultOf(row, likes.get(row.creator_id)),
        marks: marks.get(row.creator_id) ?? [],
      })),
    );
    if (rows.length === atOnce) return false;
    await states.setCounted(trx, month, clock());
    return true;
  });
}

/** The first month that is not counted: the current one, or one before it that is not closed yet. */
export async function firstUncounted({
  db,
  clock,
  config,
}: Context<'db' | 'clock' | 'config'>): Promise<string> {
  const current = monthOf(clock(), config.timeZone);
  const [first = current] = await states.listUncounted(db, monthBefore(current));
  return first;
}

/** Seconds since the end of the first finished month that is not counted; 0 if all are. */
export async function secondsUncounted(context: Context<'db' | 'clock' | 'config'>): Promise<number> {
  const { clock, config } = context;
  const now = clock();
  const first = await firstUncounted(context);
  if (first >= monthOf(now, config.timeZone)) return 0;
  return await queries.secondsSince(context.db, { month: first, timeZone: config.timeZone }, now);
}
