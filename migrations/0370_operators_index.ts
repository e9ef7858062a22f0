import { type Kysely, sql } from 'kysely';

/** Operators are a handful of people, who are looked for whenever a decision needs another one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists people_operators on people (id) where role = 'operator'`.execute(db);
}
