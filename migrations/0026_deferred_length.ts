import { type Kysely, sql } from 'kysely';

/** A file may be begun before its length is known: `bytes` is then the most that its kind may have. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table resumable_uploads add column deferred boolean not null default false`.execute(db);
}
