import { type Kysely, sql } from 'kysely';

/** Attempts that are paid by the API of a payer (docs/decisions/0068-razorpayx.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payout_attempts
      -- null: a file, or an operator by hand
      add column payer text,
      -- the payer's id of the destination: each try uses the same
      add column payer_account text,
      -- its last message, for operators
      add column payer_note text,
      -- when payment was last requested, while the result is not known
      add column called_at timestamptz,
      add column look_at timestamptz,
      add column looks integer not null default 0`.execute(db);
  await sql`
    create index if not exists payout_attempts_to_look on payout_attempts (look_at)
    where look_at is not null`.execute(db);
}
