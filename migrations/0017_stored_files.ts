import { type Kysely, sql } from 'kysely';

/** Files made of an upload, with sizes in bytes by name, for the audit of stored files; null for earlier ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table uploads add column files jsonb`.execute(db);
}
