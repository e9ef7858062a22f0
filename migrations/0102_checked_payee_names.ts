import { type Kysely, sql } from 'kysely';

/** The payer whose rules the account name was checked against: another payer may not accept its script. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payout_destinations add column checked_payer text`.execute(db);
}
