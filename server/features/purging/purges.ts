import type { Kysely } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId } from '#server/platform/ids.ts';
import * as queries from './purges.queries.ts';

/** Content that is no longer public. */
export interface Purge {
  /** Keys in the media store. */
  keys: readonly string[];
  /** Paths of pages that show only this content. */
  paths?: readonly string[];
  /** Whether it was deleted, and not only hidden. */
  isGone?: boolean;
}

const second = 1000;
const hour = 60 * 60 * second;
/** Maximum number of keys in one call, to keep it small. */
const batchSize = 200;
/** Timeout of a call, and longest pause between two calls, in milliseconds. */
const timeout = 10 * second;
const longestPause = 5 * 60 * second;
/** After this time every process withholds the files (withheld.ts). A cache purged earlier could fetch them again. */
const withheldWithin = 2 * second;
/** After a week a purge is retried once a day. After a year it is given up: no cache stores a file for longer (media-files.ts). */
const day = 24 * hour;
const dailyAfter = 7 * day;
const giveUpAfter = 365 * day;
/**
 * A row is kept for this time after it is done: until then files are removed, and deleted keys are withheld by it.
 */
const keptFor = hour;

/** Schedules the purge of external caches, in the transaction that hides or deletes the content. */
export async function purge(
  db: Kysely<Tables>,
  { keys, paths = [], isGone = false }: Purge,
  now: Date,
): Promise<void> {
  const lots = Math.max(1, Math.ceil(keys.length / batchSize));
  for (let lot = 0; lot < lots; lot += 1)
    await queries.insert(db, {
      id: newId(now),
      keys: keys.slice(lot * batchSize, (lot + 1) * batchSize),
      paths: lot === 0 ? [...paths] : [],
      is_gone: isGone,
      created_at: now,
      next_try_at: new Date(now.getTime() + withheldWithin),
    });
}

export interface PurgeTarget {
  /** The address that is called; undefined if there are no external caches. */
  url: string | undefined;
  /** Origins of the site and of its files. */
  origins: { site: string; media: string };
}

/** The full addresses to purge. An address that ends in a slash covers everything below it. */
export function addressesOf(
  row: Pick<Tables['purges'], 'keys' | 'paths'>,
  { site, media }: PurgeTarget['origins'],
) {
  const hosts = [...new Set([site, media || site])];
  const folders = row.keys.flatMap((key) => hosts.map((host) => `${host}/media/${key}/`));
  return [...folders, ...row.paths.map((path) => `${site}${path}`)];
}

export type Outcome = 'done' | 'failed' | 'given_up';

/**
 * Sends the purge that has been due for longest; returns undefined if none is due. If the call fails or its process
 * dies, any process retries after a pause that doubles from two seconds to five minutes, and after a week once a day.
 */
export async function purgeNext(
  { db, clock }: Context<'db' | 'clock'>,
  { url, origins }: PurgeTarget,
  warn: (error: unknown, addresses: string[]) => void,
): Promise<Outcome | undefined> {
  const now = clock();
  const ageOf = (row: { created_at: Date }) => now.getTime() - row.created_at.getTime();
  const again = (row: { created_at: Date; tries: number }) => {
    const pause = Math.min(longestPause, 2 ** Math.min(row.tries, 20) * second);
    return new Date(now.getTime() + timeout + (ageOf(row) > dailyAfter ? day : pause));
  };
  const row = await queries.claimDue(db, now, again);
  if (!row) return undefined;
  const addresses = addressesOf(row, origins);
  try {
    if (url) await sendPurge(url, addresses);
  } catch (error) {
    // After a week an operator may want to purge them manually.
    warn(error, ageOf(row) > dailyAfter ? addresses : []);
    if (ageOf(row) <= giveUpAfter) return 'failed';
    await queries.markDone(db, row.id, now);
    return 'given_up';
  }
  await queries.markDone(db, row.id, now);
  return 'done';
}

async function sendPurge(url: string, addresses: string[]): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(addresses),
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`PURGE_URL answered ${response.status}`);
}

/** Deletes purges that were done some time ago. */
export async function deleteDonePurges({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  await queries.deleteDone(db, new Date(clock().getTime() - keptFor));
}

/** Number of waiting purges, and the time of the oldest. */
export const waitingPurges = queries.waiting;
