import { type Kysely, sql } from 'kysely';
import type { SearchKind, Tables } from '#server/platform/database/tables.ts';

interface Entry {
  id: string;
  kind: SearchKind;
  names: string;
  /** Keys of words, by their weight. */
  words: { a: readonly string[]; b: readonly string[]; d: readonly string[] };
}

/** Stores what something is searched by, or changes it. */
export async function putEntry(db: Kysely<Tables>, { id, kind, names, words }: Entry): Promise<void> {
  // Weights belong to positions, so each word has one; keys have no signs.
  const vector = Object.entries({ A: words.a, B: words.b, D: words.d })
    .flatMap(([weight, keys], place) => keys.map((key) => `${key}:${place + 1}${weight}`))
    .join(' ');
  await sql`
    insert into search_entries (id, kind, names, words)
    values (${id}, ${kind}, ${names}, ${vector}::tsvector)
    on conflict (id) do update set names = excluded.names, words = excluded.words`.execute(db);
}

/** Stores the tags of a work instead of those that it had; returns the ids of the tags that are new. */
export async function putTags(
  db: Kysely<Tables>,
  { kind, id }: { kind: 'reel' | 'post'; id: string },
  tags: readonly { id: string; key: string; label: string }[],
): Promise<string[]> {
  await db.deleteFrom('work_tags').where('work_id', '=', id).execute();
  if (tags.length === 0) return [];
  const sorted = tags.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const made = await db
    .insertInto('tags')
    .values(sorted.map(({ id, key }) => ({ id, key })))
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .execute();
  const keys = tags.map(({ key }) => key);
  const labels = tags.map(({ label }) => label);
  await sql`
    insert into work_tags (tag_id, kind, work_id, label)
    select tags.id, ${kind}, ${id}, written.label
    from tags join unnest(${keys}::text[], ${labels}::text[]) written (key, label) using (key)`.execute(db);
  return made.map((one) => one.id);
}

/** Stores words that exist. */
export async function putWords(
  db: Kysely<Tables>,
  words: readonly { key: string; word: string }[],
): Promise<void> {
  if (words.length === 0) return;
  await db
    .insertInto('search_words')
    .values([...words])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteEntries(db: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.deleteFrom('search_entries').where('id', 'in', ids).execute();
  await db.deleteFrom('work_tags').where('work_id', 'in', ids).execute();
}
