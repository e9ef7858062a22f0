import { type Kysely, sql } from 'kysely';

/** When a watched view was shown, so that the audit can tell that it was watched. Null in rows of versions before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table watched_views add column shown_at timestamptz`.execute(db);
  await sql`alter table own_network_views add column shown_at timestamptz`.execute(db);
}
