import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { purge } from '../purging/purges.ts';
import { listFilesOf, listHiddenFiles } from '../stored-files/stored-files.ts';

/** Interval of the queries in milliseconds: below 0.9 s, which leaves a tenth of a second for a query. */
const often = 700;

export interface Withheld {
  /** Whether the files under a key must not be served. */
  has(key: string): Promise<boolean>;
  close(): void;
}

/**
 * The files that must not be served because they are taken down or deleted, or their owner is suspended. Polls the database, so that acts
 * in other processes take effect within a second. While the database does not answer, the last result stays. `onChange` is called when the
 * result changes.
 */
export function watchWithheld(db: Kysely<Tables>, onChange: () => void): Withheld {
  let known: Set<string> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function readHidden(): Promise<Set<string>> {
    const hidden = new Set(await listHiddenFiles(db));
    const isSame = known?.size === hidden.size && [...hidden].every((key) => known?.has(key));
    const isFirst = !known;
    known = hidden;
    if (!isFirst && !isSame) onChange();
    return hidden;
  }

  async function watch(): Promise<void> {
    // The health check reports a database that does not answer.
    await readHidden().catch(() => undefined);
    if (!closed) timer = setTimeout(watch, often).unref();
  }
  void watch();

  return {
    has: async (key) => (known ?? (await readHidden())).has(key),
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** Queues the purge of everything that a person has published; part of the transaction that suspends them. */
export async function purgePerson(trx: Transaction<Tables>, personId: string, now: Date): Promise<void> {
  const keys = await listFilesOf(trx, personId);
  await purge(trx, { keys, paths: [`/user/${personId}`] }, now);
}

/** The same for one taken-down thing and its files. */
export async function purgeContent(
  trx: Transaction<Tables>,
  { kind, id }: { kind: 'reel' | 'post' | 'story'; id: string },
  keys: readonly string[],
  now: Date,
): Promise<void> {
  await purge(trx, { keys, paths: kind === 'reel' ? [`/videoplayer?reel=${id}`, `/embed/${id}`] : [] }, now);
}
