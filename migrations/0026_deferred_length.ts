import { type Kysely, sql } from 'kysely';

/** An upload may start before its length is known: `bytes` is then the maximum of its kind. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table resumable_uploads add column deferred boolean not null default false`.execute(db);
}
