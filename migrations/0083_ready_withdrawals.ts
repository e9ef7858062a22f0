import { type Kysely, sql } from 'kysely';

/** When the last condition for paying a withdrawal was met, of which its creator is notified. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table withdrawals add column ready_at timestamptz`.execute(db);
}
