import { type Kysely, sql } from 'kysely';

/** The issuer that opened a session, so that logging out also ends the session there; null for a password. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions add column issuer text`.execute(db);
}
