import { type Kysely, sql } from 'kysely';

/** Since when nothing stood in the way of paying a withdrawal, which its creator is told. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table withdrawals add column ready_at timestamptz`.execute(db);
}
