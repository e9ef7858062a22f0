import { type Kysely, sql } from 'kysely';

/** What was made of an upload, by name and size in bytes, for the audit of stored files; null of what was made before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table uploads add column files jsonb`.execute(db);
}
