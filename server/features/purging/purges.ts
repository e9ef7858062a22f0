import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { type Batch, type Delivery, doubling } from '#server/platform/deliveries.ts';
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

interface DuePurge extends Batch {
  rows: readonly queries.PurgeRow[];
}

/** Calls of PURGE_URL. Without one the rows are only marked as done. */
export function purgeDelivery(
  { db, logger }: Context<'db'> & { logger: Pick<FastifyBaseLogger, 'error'> },
  { url, origins }: PurgeTarget,
): Delivery<DuePurge, 'done'> {
  const addresses = ({ rows }: DuePurge) => rows.flatMap((row) => addressesOf(row, origins));
  const pause = doubling(2 * second, longestPause);
  return {
    table: 'purges',
    help: 'Calls of PURGE_URL by how they ended; given_up is after a year of trying',
    atOnce: 1,
    claimFor: 2 * timeout,
    async lockDue(trx, now) {
      const rows = await queries.lockDue(trx, now);
      return rows.length > 0 ? { rows } : undefined;
    },
    async send(due) {
      if (url) await sendPurge(url, addresses(due));
      return 'done';
    },
    failed(error, due, now) {
      // After a week an operator may want to purge them manually.
      const isOld = due.rows.some((row) => now.getTime() - row.created_at.getTime() > dailyAfter);
      logger.error(
        { err: error, addresses: isOld ? addresses(due) : [] },
        'caches elsewhere could not be told',
      );
      return undefined;
    },
    pauseAfter: (tries, age) => (age > dailyAfter ? day : pause(tries)),
    lifetimeOf: () => giveUpAfter,
    end: (ids, _outcome, now) => queries.markDone(db, ids, now),
  };
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
