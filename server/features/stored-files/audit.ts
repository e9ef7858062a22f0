import type { Kysely } from 'kysely';
import { cardFile, smallCardFile, wideCardFile } from '#server/media/file-names.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { groupByKey, inBatches, orphanBefore, type StoredKey } from './listing.ts';
import { findFiles, listKept } from './stored-files.queries.ts';

/** A difference between the register and the storage. */
export interface MediaDifference {
  what: 'missing' | 'size' | 'stray';
  /** `inbox/<key>` or `media/<key>/<name>`. */
  file: string;
  /** Its registration: `<kind> of <owner>`; null if it is not registered, or is to be deleted. */
  row: string | null;
  /** In bytes; null if unknown or missing. */
  recorded: number | null;
  found: number | null;
}

export interface MediaAudit {
  rows: number;
  files: number;
  differences: MediaDifference[];
}

type StorageArea = 'inbox' | 'media';
const areas = ['inbox', 'media'] as const;
/** A registered folder may have these files beside those that were recorded with it. */
const madeOnRequest = new Set<string>([cardFile, smallCardFile, wideCardFile]);
const atOnce = 500;

type Kept = Awaited<ReturnType<typeof listKept>>[number];
const areaOf = ({ kind }: Pick<Kept, 'kind'>): StorageArea => (kind === 'video' ? 'inbox' : 'media');

/**
 * Compares the register with the storage: every registered file must exist with its size, and every file must be registered, unless it is
 * younger than the time after which the sweeper deletes it. Changes nothing. The site continues to run, so each difference is checked once
 * more before it is reported.
 */
export async function auditMedia({
  db,
  storage,
  clock,
}: Context<'db' | 'storage' | 'clock'>): Promise<MediaAudit> {
  const now = clock();
  const suspects: Record<StorageArea, Set<string>> = { inbox: new Set(), media: new Set() };
  const stored: Record<StorageArea, Set<string>> = { inbox: new Set(), media: new Set() };
  let files = 0;
  for (const area of areas)
    for await (const batch of inBatches(groupByKey(storage.list(`${area}/`)))) {
      for (const { key, files: names } of batch) {
        stored[area].add(key);
        files += names.size;
      }
      for (const difference of await compare(db, area, batch)) suspects[area].add(keyIn(difference));
      for (const { key } of await findOrphans(db, area, batch, now)) suspects[area].add(key);
    }
  let rows = 0;
  for await (const kept of everythingKept(db)) {
    rows += 1;
    if (!stored[areaOf(kept)].has(kept.key)) suspects[areaOf(kept)].add(kept.key);
  }
  const differences: MediaDifference[] = [];
  for (const area of areas)
    for (const key of suspects[area]) differences.push(...(await lookAgain({ db, storage }, area, key, now)));
  return { rows, files, differences };
}

/** Stored files that for a while have not been registered, or are to be deleted, or are registered for the other area. */
async function findOrphans(
  db: Kysely<Tables>,
  area: StorageArea,
  batch: StoredKey[],
  now: Date,
): Promise<StoredKey[]> {
  const old = batch.filter(({ changedAt }) => changedAt < orphanBefore(now));
  const rows = await findFiles(
    db,
    old.map(({ key }) => key),
  );
  const kept = rows.filter(
    ({ kind, state }) =>
      state !== 'removed' &&
      (area === 'media' || state === 'arriving' || ['video', 'unknown'].includes(kind)),
  );
  const known = new Set(kept.map(({ key }) => key));
  return old.filter(({ key }) => !known.has(key));
}

const keyIn = ({ file }: MediaDifference) => file.split('/')[1] ?? '';

async function* everythingKept(db: Kysely<Tables>): AsyncGenerator<Kept> {
  for (let after = ''; ; ) {
    const page = await listKept(db, { after, limit: atOnce });
    // Files without an owner have no stored names, and may be in either area.
    yield* page.filter(({ kind }) => kind !== 'unknown');
    const last = page.at(-1);
    if (!last) return;
    after = last.key;
  }
}

/** The current state of one key: its row is read before its files, so that a deletion in between is noticed. */
async function lookAgain(
  { db, storage }: Context<'db' | 'storage'>,
  area: StorageArea,
  key: string,
  now: Date,
): Promise<MediaDifference[]> {
  let there: StoredKey = { key, files: new Map(), changedAt: now };
  for await (const group of groupByKey(storage.list(`${area}/${key}`))) there = group;
  const [orphan] = await findOrphans(db, area, [there], now);
  if (!orphan) return await compare(db, area, [there]);
  return [...orphan.files].map(([name, found]) => ({
    what: 'stray',
    file: pathOf(area, key, name),
    row: null,
    recorded: null,
    found,
  }));
}

/** Problems with registered files. */
async function compare(
  db: Kysely<Tables>,
  area: StorageArea,
  batch: StoredKey[],
): Promise<MediaDifference[]> {
  const differences = new Map<string, MediaDifference>();
  const rows = await listKept(db, { keys: batch.map(({ key }) => key) });
  for (const { key, kind, owner_id, files, bytes } of rows.filter((row) => areaOf(row) === area)) {
    const row = `${kind} of ${owner_id}`;
    const there = batch.find((group) => group.key === key)?.files ?? new Map<string, number>();
    const recorded = new Map(area === 'inbox' ? [['', bytes]] : Object.entries(files ?? {}));
    for (const [name, size] of recorded) {
      const found = there.get(name) ?? null;
      const isWrong = found === null || found === 0 || (size !== null && found !== size);
      const file = pathOf(area, key, name);
      const what = found === null ? 'missing' : 'size';
      if (isWrong) differences.set(file, { what, file, row, recorded: size, found });
    }
    // For older files not every name is known.
    const areKnown = [...recorded.values()].some((size) => size !== null);
    for (const [name, found] of areKnown ? there : []) {
      const file = pathOf(area, key, name);
      if (!recorded.has(name) && !madeOnRequest.has(name))
        differences.set(file, { what: 'stray', file, row, recorded: null, found });
    }
  }
  return [...differences.values()];
}

const pathOf = (area: StorageArea, key: string, name: string) => `${area}/${key}${name && `/${name}`}`;
