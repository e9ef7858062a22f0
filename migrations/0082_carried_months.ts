import { type Kysely, sql } from 'kysely';

/** Months that were too small to be paid alone are paid with a later one (docs/decisions/0061-carry-over.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The months, oldest first, each with its coins.
  await sql`alter table withdrawals add column carried jsonb not null default '[]'`.execute(db);
}
