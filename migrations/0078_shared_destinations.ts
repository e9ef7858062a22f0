import { type Kysely, sql } from 'kysely';

/** With the fingerprint operators find other people who are paid at the same destination. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index if not exists payout_destinations_by_fingerprint on payout_destinations (fingerprint)
    where fingerprint is not null`.execute(db);
}
