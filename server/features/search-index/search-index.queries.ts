import { type Kysely, sql } from 'kysely';
import type { SearchKind, Tables } from '#server/platform/database/tables.ts';

interface Entry {
  id: string;
  kind: SearchKind;
  names: string;
  /** Keys of words, by their weight. */
  words: { a: readonly string[]; b: readonly string[]; d: readonly string[] };
}

/** Stores what something is searched by, or changes it; returns the words that it had before. */
export async function putEntry(db: Kysely<Tables>, { id, kind, names, words }: Entry): Promise<string[]> {
  // Weights belong to positions, so each word has one; keys have no signs.
  const vector = Object.entries({ A: words.a, B: words.b, D: words.d })
    .flatMap(([weight, keys], place) => keys.map((key) => `${key}:${place + 1}${weight}`))
    .join(' ');
  const { rows } = await sql<{ before: string[] | null }>`
    with before as (select words from search_entries where id = ${id})
    insert into search_entries (id, kind, names, words)
    values (${id}, ${kind}, ${names}, ${vector}::tsvector)
    on conflict (id) do update set names = excluded.names, words = excluded.words
    returning (select tsvector_to_array(words) from before) as before`.execute(db);
  return rows[0]?.before ?? [];
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
  const keys = sorted.map(({ key }) => key);
  const labels = sorted.map(({ label }) => label);
  const rows = sorted.map((one) => ({ id: one.id, key: one.key }));
  const made: string[] = [];
  // The ranking may delete an unused tag between the two statements.
  for (let locked = 0; locked < keys.length; ) {
    const insert = db.insertInto('tags').values(rows);
    const inserted = await insert
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning('id')
      .execute();
    made.push(...inserted.map((row) => row.id));
    locked = (await db.selectFrom('tags').select('id').where('key', 'in', keys).forKeyShare().execute())
      .length;
  }
  await sql`
    insert into work_tags (tag_id, kind, work_id, label)
    select tags.id, ${kind}, ${id}, written.label
    from tags join unnest(${keys}::text[], ${labels}::text[]) written (key, label) using (key)`.execute(db);
  return made;
}

/** Stores words that exist now. */
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

/**
 * Deletes those of these words that no work or person has any more. It waits for nobody, and comes after all words of the transaction are
 * stored, so that there are no deadlocks. A word that another transaction stores at this moment may be lost until it is published again:
 * until then, misspelt words are not corrected to it, nor is the word found by a prefix after other words (`listWordsWithPrefix`).
 */
export async function deleteUnusedWords(db: Kysely<Tables>, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    delete from search_words where key in (
      select key from search_words where key = any(${keys}::text[]) and entries_with(key, 1) = 0 for update skip locked
    )`.execute(db);
}

/** Deletes works or people; returns the words that they had. */
export async function deleteEntries(db: Kysely<Tables>, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  await db.deleteFrom('work_tags').where('work_id', 'in', ids).execute();
  const rows = await db
    .deleteFrom('search_entries')
    .where('id', 'in', ids)
    .returning(sql<string[]>`tsvector_to_array(words)`.as('keys'))
    .execute();
  return [...new Set(rows.flatMap(({ keys }) => keys))];
}
