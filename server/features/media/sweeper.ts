import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { JobKind } from '../../platform/jobs.ts';
import type { Storage, StoredName } from '../../platform/storage.ts';
import * as queries from './uploads.queries.ts';

export const sweepJob: JobKind<object> = { name: 'sweep', retries: 1, seconds: 10 * 60 };

const hour = 60 * 60 * 1000;
/** Nothing younger is touched: its row may be about to be written. An upload under way keeps its file young. */
const grace = hour;
/** An upload that nobody published is forgotten. */
const unusedAfter = 24 * hour;
const atOnce = 500;

/** Removes every file that no living row refers to (decisions §7); returns how many. */
export async function sweep(db: Kysely<Tables>, storage: Storage, now: Date): Promise<number> {
  const before = new Date(now.getTime() - grace);
  await queries.deleteUnused(db, new Date(now.getTime() - unusedAfter));
  await storage.sweepWorkspaces(before);
  let removed = 0;
  for (const key of await unreferenced(await storage.listInbox(), before, (keys) =>
    queries.awaitedKeys(db, keys),
  )) {
    await storage.discard(key);
    removed += 1;
  }
  let batch: StoredName[] = [];
  const removeBatch = async () => {
    for (const key of await unreferenced(batch, before, (keys) => queries.liveKeys(db, keys))) {
      await storage.remove(key);
      removed += 1;
    }
    batch = [];
  };
  for await (const name of storage.listMedia()) {
    batch.push(name);
    if (batch.length === atOnce) await removeBatch();
  }
  await removeBatch();
  return removed;
}

async function unreferenced(
  names: StoredName[],
  before: Date,
  known: (keys: string[]) => Promise<Set<string>>,
): Promise<string[]> {
  const old = names.filter((name) => name.changedAt < before).map((name) => name.key);
  if (old.length === 0) return [];
  const living = await known(old);
  return old.filter((key) => !living.has(key));
}
