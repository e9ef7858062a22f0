import { type Kysely, sql } from 'kysely';
import type { Cursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { nameKey } from '../people/name-keys.ts';
import { bothNames } from '../people/people.ts';

const columns = [
  'id',
  'name',
  'username',
  'email',
  'role',
  'suspended_at',
  'reel_count',
  'post_count',
  'created_at',
] as const;

export type PersonRow = NonNullable<Awaited<ReturnType<typeof findPerson>>>;

export function findPerson(db: Kysely<Tables>, which: { id: string } | { usernameKey: string }) {
  const query = db.selectFrom('people').select(columns);
  return (
    'id' in which ? query.where('id', '=', which.id) : query.where('username_key', '=', which.usernameKey)
  ).executeTakeFirst();
}

/** Reads a person and locks the row. */
export function lockPerson(db: Kysely<Tables>, id: string) {
  return db.selectFrom('people').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** People whose name, username or e-mail address contains `words`, or with that id; newest first, after the cursor. */
export function searchPeople(db: Kysely<Tables>, words: string, limit: number, after: Cursor | undefined) {
  const wanted = nameKey(words);
  const somewhere = `%${wanted.replace(/[\\%_]/g, '\\$&')}%`;
  let query = db
    .selectFrom('people')
    .select(columns)
    .where(
      sql<boolean>`(id::text = ${wanted} or ${bothNames} like ${somewhere} or email_key like ${somewhere})`,
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (after) query = query.where(sql<boolean>`(created_at, id) < (${after.at}, ${after.id})`);
  return query.execute();
}

/** Names of people ordered by id, after the id `after`. */
export function listNames(db: Kysely<Tables>, limit: number, after: string | undefined) {
  let query = db.selectFrom('people').select(['id', 'name', 'username']).orderBy('id').limit(limit);
  if (after) query = query.where('id', '>', after);
  return query.execute();
}

export async function setSuspended(db: Kysely<Tables>, id: string, at: Date | null) {
  await db.updateTable('people').set({ suspended_at: at }).where('id', '=', id).execute();
}

export async function setRole(db: Kysely<Tables>, id: string, role: 'person' | 'operator') {
  await db.updateTable('people').set({ role }).where('id', '=', id).execute();
}

export async function hasOperators(db: Kysely<Tables>): Promise<boolean> {
  const row = await db.selectFrom('people').select('id').where('role', '=', 'operator').executeTakeFirst();
  return row !== undefined;
}
