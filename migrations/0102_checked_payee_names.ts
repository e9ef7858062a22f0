import { type Kysely, sql } from 'kysely';

/** By whose rules the name of an account was checked: another payer may not take its script. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payout_destinations add column checked_payer text`.execute(db);
}
