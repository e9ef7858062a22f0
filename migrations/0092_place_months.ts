import { type Kysely, sql } from 'kysely';

/** Networks of log-ins are hashed by a key of the month (docs/decisions/0056-month-keys.md); a job brings the rows of before under it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sign_in_places
      -- by whose key the place is hashed once more; null: a row of a version before
      add column month text`.execute(db);
}
