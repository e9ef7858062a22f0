import { type Kysely, sql } from 'kysely';

/** The address under which the issuer knows a linked account; null until the next login with it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table identities add column email text`.execute(db);
}
