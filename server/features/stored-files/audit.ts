import type { Kysely } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { groupByKey, inBatches, orphanBefore, type StoredKey } from './listing.ts';
import { findFiles, listKept } from './stored-files.queries.ts';

/** Something that rows and files do not agree on. */
export interface MediaDifference {
  what: 'missing' | 'size' | 'stray';
  /** `inbox/<key>` or `media/<key>/<name>`. */
  file: string;
  /** What it is registered as: `<kind> of <owner>`; null where it is not, or is to be deleted. */
  row: string | null;
  /** In bytes; null where it is not known, or not there. */
  recorded: number | null;
  found: number | null;
}

export interface MediaAudit {
  rows: number;
  files: number;
  differences: MediaDifference[];
}

type Place = 'inbox' | 'media';
const places = ['inbox', 'media'] as const;
const atOnce = 500;

type Kept = Awaited<ReturnType<typeof listKept>>[number];
const placeOf = ({ kind }: Pick<Kept, 'kind'>): Place => (kind === 'video' ? 'inbox' : 'media');

/**
 * Compares the register with what is stored: every file there and as large as it was made, and none that is not registered,
 * beyond the time after which the sweeper takes it. Changes nothing. People go on meanwhile, so each difference is looked at
 * once more before it is reported.
 */
export async function auditMedia({
  db,
  storage,
  clock,
}: Context<'db' | 'storage' | 'clock'>): Promise<MediaAudit> {
  const now = clock();
  const suspects: Record<Place, Set<string>> = { inbox: new Set(), media: new Set() };
  const stored: Record<Place, Set<string>> = { inbox: new Set(), media: new Set() };
  let files = 0;
  for (const place of places)
    for await (const batch of inBatches(groupByKey(storage.list(`${place}/`)))) {
      for (const { key, files: names } of batch) {
        stored[place].add(key);
        files += names.size;
      }
      for (const one of await compare(db, place, batch)) suspects[place].add(keyIn(one));
      for (const { key } of await findOrphans(db, place, batch, now)) suspects[place].add(key);
    }
  let rows = 0;
  for await (const kept of everythingKept(db)) {
    rows += 1;
    if (!stored[placeOf(kept)].has(kept.key)) suspects[placeOf(kept)].add(kept.key);
  }
  const differences: MediaDifference[] = [];
  for (const place of places)
    for (const key of suspects[place])
      differences.push(...(await lookAgain({ db, storage }, place, key, now)));
  return { rows, files, differences };
}

/** Of what is stored, what is registered nowhere, or to be deleted, or elsewhere, for a while. */
async function findOrphans(
  db: Kysely<Tables>,
  place: Place,
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
      (place === 'media' || state === 'arriving' || ['video', 'unknown'].includes(kind)),
  );
  const known = new Set(kept.map(({ key }) => key));
  return old.filter(({ key }) => !known.has(key));
}

const keyIn = ({ file }: MediaDifference) => file.split('/')[1] ?? '';

async function* everythingKept(db: Kysely<Tables>): AsyncGenerator<Kept> {
  for (let after = ''; ; ) {
    const page = await listKept(db, { after, limit: atOnce });
    // Nobody's files have no names, and may lie in either place.
    yield* page.filter(({ kind }) => kind !== 'unknown');
    const last = page.at(-1);
    if (!last) return;
    after = last.key;
  }
}

/** One key as it is now: its row first, then its files, so that what has been deleted in between is not missed. */
async function lookAgain(
  { db, storage }: Context<'db' | 'storage'>,
  place: Place,
  key: string,
  now: Date,
): Promise<MediaDifference[]> {
  let there: StoredKey = { key, files: new Map(), changedAt: now };
  for await (const one of groupByKey(storage.list(`${place}/${key}`))) there = one;
  const [orphan] = await findOrphans(db, place, [there], now);
  if (!orphan) return await compare(db, place, [there]);
  return [...orphan.files].map(([name, found]) => ({
    what: 'stray',
    file: pathOf(place, key, name),
    row: null,
    recorded: null,
    found,
  }));
}

/** What is wrong with registered files. */
async function compare(db: Kysely<Tables>, place: Place, batch: StoredKey[]): Promise<MediaDifference[]> {
  const differences = new Map<string, MediaDifference>();
  const rows = await listKept(db, { keys: batch.map(({ key }) => key) });
  for (const { key, kind, owner_id, files, bytes } of rows.filter((one) => placeOf(one) === place)) {
    const row = `${kind} of ${owner_id}`;
    const there = batch.find((one) => one.key === key)?.files ?? new Map<string, number>();
    const recorded = new Map(place === 'inbox' ? [['', bytes]] : Object.entries(files ?? {}));
    for (const [name, size] of recorded) {
      const found = there.get(name) ?? null;
      const isWrong = found === null || found === 0 || (size !== null && found !== size);
      const file = pathOf(place, key, name);
      const what = found === null ? 'missing' : 'size';
      if (isWrong) differences.set(file, { what, file, row, recorded: size, found });
    }
    // Of older files not every name is known.
    const areKnown = [...recorded.values()].some((size) => size !== null);
    for (const [name, found] of areKnown ? there : []) {
      const file = pathOf(place, key, name);
      if (!recorded.has(name)) differences.set(file, { what: 'stray', file, row, recorded: null, found });
    }
  }
  return [...differences.values()];
}

const pathOf = (place: Place, key: string, name: string) => `${place}/${key}${name && `/${name}`}`;
