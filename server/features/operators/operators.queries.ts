import { type Kysely, sql } from 'kysely';
import type { Role } from '#contract/roles.ts';
import type { Tables } from '#server/platform/database/tables.ts';

const columns = [
  'id',
  'name',
  'username',
  'email',
  'role',
  'operator_role',
  'child_safety',
  'suspended_at',
  'reports_muted_until',
  'email_verified_at',
  'follower_count',
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

/** These people, newest first. */
export function listPeople(db: Kysely<Tables>, ids: readonly string[]) {
  return db
    .selectFrom('people')
    .select(columns)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
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

export async function setReportsMuted(db: Kysely<Tables>, id: string, until: Date | null) {
  await db.updateTable('people').set({ reports_muted_until: until }).where('id', '=', id).execute();
}

/** Of a person who is no operator, the role of operators is the one that the previous version would give. */
export async function setRole(
  db: Kysely<Tables>,
  id: string,
  { role, childSafety }: { role: Role; childSafety: boolean },
) {
  const values =
    role === 'person'
      ? ({ role, operator_role: 'administrator', child_safety: false } as const)
      : ({ role: 'operator', operator_role: role, child_safety: childSafety } as const);
  await db.updateTable('people').set(values).where('id', '=', id).execute();
}

export async function hasOperators(db: Kysely<Tables>): Promise<boolean> {
  const row = await db.selectFrom('people').select('id').where('role', '=', 'operator').executeTakeFirst();
  return row !== undefined;
}
