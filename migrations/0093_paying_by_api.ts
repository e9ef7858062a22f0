import { type Kysely, sql } from 'kysely';

/** Attempts that the API of a payer pays (docs/decisions/0068-razorpayx.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payout_attempts
      -- null: a file, or an operator by hand
      add column payer text,
      -- what it calls where the payment goes: each try names the same
      add column payer_account text,
      -- its last words, for operators
      add column payer_note text,
      -- when it was last asked to pay, while nobody knows what it did
      add column called_at timestamptz,
      add column look_at timestamptz,
      add column looks integer not null default 0`.execute(db);
  await sql`
    create index if not exists payout_attempts_to_look on payout_attempts (look_at)
    where look_at is not null`.execute(db);
}
