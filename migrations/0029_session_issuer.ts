import { type Kysely, sql } from 'kysely';

/** Which identity provider opened a session, so that logging out ends the one there too; null: a password did. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions add column issuer text`.execute(db);
}
