import { type Kysely, sql } from 'kysely';

/** By which address its holder knows a linked account; null until they log in with it again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table identities add column email text`.execute(db);
}
