import { type Kysely, sql } from 'kysely';

/** Networks of log-ins are hashed by a key of the month (docs/decisions/0056-month-keys.md); a job rehashes older rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sign_in_places
      -- the month with whose key the place is hashed again; null: a row of an earlier version
      add column month text`.execute(db);
}
