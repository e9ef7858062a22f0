import type { Kysely } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { type OwedRow, owedRows } from './audit.queries.ts';
import { inLots, keysOf, type StoredKey, straysIn } from './stored.ts';
import { awaitedKeys, liveKeys } from './uploads.queries.ts';

/** Something that rows and files do not agree on. */
export interface MediaDifference {
  what: 'missing' | 'size' | 'stray';
  /** `inbox/<key>` or `media/<key>/<name>`. */
  file: string;
  /** The row that refers to it; null where none does. */
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

/**
 * Compares what living rows refer to with what is stored: every file there and as large as it was made, and none that no
 * living row refers to, beyond the time after which the sweeper takes it. Changes nothing. Deeds of people go on
 * meanwhile, so each difference is looked at once more before it is told.
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
  for (const place of places) {
    for await (const lot of inLots(keysOf(storage.list(`${place}/`)))) {
      for (const { key, files: names } of lot) {
        stored[place].add(key);
        files += names.size;
      }
      for (const one of await compare(db, place, lot)) suspects[place].add(keyIn(one));
    }
    for await (const { key } of straysIn(storage.list(`${place}/`), now, livingIn(db, place)))
      suspects[place].add(key);
  }
  let rows = 0;
  for await (const owed of everythingOwed(db)) {
    rows += 1;
    if (!stored[owed.place].has(owed.key)) suspects[owed.place].add(owed.key);
  }
  const differences: MediaDifference[] = [];
  for (const place of places)
    for (const key of suspects[place])
      differences.push(...(await lookAgain({ db, storage }, place, key, now)));
  return { rows, files, differences };
}

const livingIn = (db: Kysely<Tables>, place: Place) => (keys: string[]) =>
  place === 'inbox' ? awaitedKeys(db, keys) : liveKeys(db, keys);

const keyIn = ({ file }: MediaDifference) => file.split('/')[1] ?? '';

async function* everythingOwed(db: Kysely<Tables>): AsyncGenerator<OwedRow> {
  for (let after = ''; ; ) {
    const page = await owedRows(db, { after, limit: atOnce });
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.key;
  }
}

/** One key as it is now: its rows first, then its files, so that what has been deleted in between is not missed. */
async function lookAgain(
  { db, storage }: Context<'db' | 'storage'>,
  place: Place,
  key: string,
  now: Date,
): Promise<MediaDifference[]> {
  const strays: MediaDifference[] = [];
  for await (const stray of straysIn(storage.list(`${place}/${key}`), now, livingIn(db, place)))
    for (const [name, found] of stray.files)
      strays.push({ what: 'stray', file: pathOf(place, key, name), row: null, recorded: null, found });
  if (strays.length > 0) return strays;
  let there: StoredKey = { key, files: new Map(), changedAt: now };
  for await (const one of keysOf(storage.list(`${place}/${key}`))) there = one;
  return await compare(db, place, [there]);
}

/** What is wrong with files of living rows. */
async function compare(db: Kysely<Tables>, place: Place, lot: StoredKey[]): Promise<MediaDifference[]> {
  const differences = new Map<string, MediaDifference>();
  const owed = await owedRows(db, { keys: lot.map(({ key }) => key) });
  for (const { row, key, names, files, bytes } of owed.filter((one) => one.place === place)) {
    const there = lot.find((one) => one.key === key)?.files ?? new Map<string, number>();
    const recorded = new Map<string, number | null>(
      place === 'inbox'
        ? [['', bytes]]
        : [...names.map((name) => [name, null] as const), ...Object.entries(files ?? {})],
    );
    for (const [name, size] of recorded) {
      const found = there.get(name) ?? null;
      const isWrong = found === null || found === 0 || (size !== null && found !== size);
      const file = pathOf(place, key, name);
      if (isWrong)
        differences.set(file, {
          what: found === null ? 'missing' : 'size',
          file,
          row,
          recorded: size,
          found,
        });
    }
    for (const [name, found] of files ? there : []) {
      const file = pathOf(place, key, name);
      if (!recorded.has(name)) differences.set(file, { what: 'stray', file, row, recorded: null, found });
    }
  }
  return [...differences.values()];
}

const pathOf = (place: Place, key: string, name: string) => `${place}/${key}${name && `/${name}`}`;
