import type { Kysely } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId } from '#server/platform/ids.ts';
import * as queries from './purges.queries.ts';

/** What is not public any more. */
export interface Purge {
  /** Of files in the media store. */
  keys: readonly string[];
  /** Of pages that are only about it. */
  paths?: readonly string[];
  /** It was deleted and does not come back. */
  isGone?: boolean;
}

const second = 1000;
const hour = 60 * 60 * second;
/** Keys in one call, so that it stays small. */
const atOnce = 200;
/** Longest that a call may take, and the longest pause between two, in milliseconds. */
const patience = 10 * second;
const longestPause = 5 * 60 * second;
/** By then every process withholds the files (withheld.ts): a cache that is told earlier could fetch them once more. */
const withheldWithin = 2 * second;
/** After a week of trying it is given up. */
const triedFor = 7 * 24 * hour;
/** A row stays this long after it is done: until then files are removed, and what is gone is withheld by it. */
const keptFor = hour;

/** Has caches elsewhere told of it once the transaction that `db` is has happened. */
export async function purge(
  db: Kysely<Tables>,
  { keys, paths = [], isGone = false }: Purge,
  now: Date,
): Promise<void> {
  const lots = Math.max(1, Math.ceil(keys.length / atOnce));
  for (let lot = 0; lot < lots; lot += 1)
    await queries.insert(db, {
      id: newId(now),
      keys: keys.slice(lot * atOnce, (lot + 1) * atOnce),
      paths: lot === 0 ? [...paths] : [],
      is_gone: isGone,
      created_at: now,
      next_try_at: new Date(now.getTime() + withheldWithin),
    });
}

export interface PurgeTarget {
  /** Who is told; unset: nobody keeps copies. */
  url: string | undefined;
  /** Where the site is, and where its files are. */
  origins: { site: string; media: string };
}

/** The full addresses of what is to be purged. One that ends in a slash stands for all below it. */
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
 * Tells of what has been due for longest; undefined where nothing is. A try that fails, or whose process dies, is made again
 * after a pause that doubles from two seconds to five minutes, by whichever process comes first.
 */
export async function purgeNext(
  { db, clock }: Context<'db' | 'clock'>,
  { url, origins }: PurgeTarget,
  warn: (error: unknown, addresses: string[]) => void,
): Promise<Outcome | undefined> {
  const now = clock();
  const again = (tries: number) =>
    new Date(now.getTime() + patience + Math.min(longestPause, 2 ** Math.min(tries, 20) * second));
  const row = await queries.takeDue(db, now, again);
  if (!row) return undefined;
  const addresses = addressesOf(row, origins);
  try {
    if (url) await tell(url, addresses);
  } catch (error) {
    const isOver = now.getTime() - row.created_at.getTime() > triedFor;
    warn(error, isOver ? addresses : []);
    if (!isOver) return 'failed';
    await queries.markDone(db, row.id, now);
    return 'given_up';
  }
  await queries.markDone(db, row.id, now);
  return 'done';
}

async function tell(url: string, addresses: string[]): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(addresses),
    redirect: 'error',
    signal: AbortSignal.timeout(patience),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`PURGE_URL answered ${response.status}`);
}

/** Deletes rows that are done with. */
export async function forgetDonePurges({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  await queries.deleteDone(db, new Date(clock().getTime() - keptFor));
}

/** How many wait, and since when the one has that waits longest. */
export const waitingPurges = queries.waiting;
