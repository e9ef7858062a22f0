import { type Kysely, sql } from 'kysely';

/** Figures of the site by day, and the index by which the ledger is read by time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table site_days (
      -- of the business time zone
      day date primary key,
      sign_ups integer not null,
      uploads integer not null,
      shown bigint not null,
      watched bigint not null,
      -- what creators asked for less what was rejected, and what was paid to them less what came back
      earned_paise bigint not null,
      paid_paise bigint not null,
      -- at the first count of the day; null where it was not measured on that day
      stored_bytes bigint,
      counted_at timestamptz not null
    );
    create index if not exists ledger_transactions_newest on ledger_transactions (posted_at desc, id desc)`.execute(
    db,
  );
}
