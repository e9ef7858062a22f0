import { type Kysely, sql } from 'kysely';

/**
 * Where people are paid, and how withdrawals are paid: batches of operators, and attempts (docs/decisions/0062-batches-and-attempts.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- docs/decisions/0058-payout-destinations.md
    create table payout_destinations (
      person_id uuid primary key references people on delete cascade,
      -- UPI id or bank account, encrypted by the keyring; null once it was removed
      details bytea,
      -- a keyed hash: the same for the same destination, also of other people
      fingerprint bytea,
      -- the fingerprints of those that the person had before, for as long as the account exists
      earlier bytea[] not null default '{}',
      chosen_at timestamptz not null,
      -- no payment before this time; null if it was never on hold
      held_until timestamptz,
      -- the payer whose rules the account name was checked against: another payer may not accept its script
      checked_payer text not null,
      check ((details is null) = (fingerprint is null))
    );
    create index payout_destinations_by_fingerprint on payout_destinations (fingerprint) where fingerprint is not null;

    create table payout_batches (
      id uuid primary key,
      payer text not null,
      state text not null check (state in ('proposed', 'approved', 'sent', 'cancelled')),
      -- the sum of all its attempts, when it was made
      paise bigint not null check (paise > 0),
      needs_approval boolean not null,
      made_at timestamptz not null,
      made_by uuid not null,
      -- the second operator; none if none was needed
      approved_at timestamptz,
      approved_by uuid,
      -- when it was sent or cancelled
      ended_at timestamptz,
      ended_by uuid,
      check ((state in ('sent', 'cancelled')) = (ended_at is not null))
    );
    create index payout_batches_newest on payout_batches (made_at desc, id desc);

    create table payout_attempts (
      creator_id uuid not null,
      withdrawal_id uuid not null references withdrawals,
      number integer not null check (number > 0),
      -- the payer's idempotency key
      id uuid not null unique,
      -- none if an operator paid by hand
      batch_id uuid references payout_batches,
      paise bigint not null check (paise > 0),
      state text not null
        check (state in ('prepared', 'exported', 'sent', 'unknown', 'paid', 'failed', 'returned', 'cancelled')),
      -- the destination, encrypted by the keyring, until the outcome is known
      destination bytea,
      masked text,
      fingerprint bytea,
      -- whose API pays it (docs/decisions/0068-razorpayx.md); null: a file, or an operator by hand
      payer text,
      payer_id text,
      -- the payer's id of the destination: each try uses the same
      payer_account text,
      -- its last message, for operators
      payer_note text,
      -- when payment was last requested, while the result is not known
      called_at timestamptz,
      look_at timestamptz,
      looks integer not null default 0,
      reference text,
      reason text,
      prepared_at timestamptz not null,
      approved_at timestamptz,
      sent_at timestamptz,
      paid_at timestamptz,
      -- when it failed, was returned or was cancelled
      ended_at timestamptz,
      -- the operator who recorded how it ended; null if a payer's API reported it
      ended_by uuid,
      primary key (creator_id, withdrawal_id, number),
      check (state not in ('paid', 'returned') or (reference is not null and paid_at is not null)),
      check ((state in ('failed', 'returned', 'cancelled')) = (ended_at is not null and reason is not null))
    );
    -- Prevents double payments: a next attempt is possible only after the final report that this one was not paid.
    create unique index payout_attempts_one_open on payout_attempts (creator_id, withdrawal_id)
      where state in ('prepared', 'exported', 'sent', 'unknown', 'paid');
    create unique index payout_attempts_one_reference on payout_attempts (reference) where reference is not null;
    create index payout_attempts_of_batch on payout_attempts (batch_id);
    create index payout_attempts_to_look on payout_attempts (look_at) where look_at is not null;
    -- Payments by hand of a day.
    create index payout_attempts_by_hand on payout_attempts (paid_at) where batch_id is null;

    -- Events that payers reported by webhooks, by id: each is recorded once.
    create table payer_events (
      payer text not null,
      id text not null,
      noted_at timestamptz not null,
      primary key (payer, id)
    );
    create index payer_events_old on payer_events (noted_at);

    -- Open questions about payments after a restore (docs/decisions/0069-after-a-restore.md).
    create table payout_locks (
      id uuid primary key,
      -- payments since then are not in the restored database
      snapshot_at timestamptz not null,
      restored_at timestamptz not null,
      lifted_at timestamptz,
      lifted_by uuid,
      check ((lifted_at is null) = (lifted_by is null))
    );
    create table unmatched_payments (
      -- the id of the payment, or its reference if the record has no id
      key text primary key,
      -- the entry of the record
      payment jsonb not null,
      why text not null,
      noted_at timestamptz not null,
      -- how an operator identified it: as the payment of a withdrawal, or as something else with a reason
      withdrawal_id uuid,
      other text,
      named_at timestamptz,
      named_by uuid,
      check ((named_at is null) = (withdrawal_id is null and other is null))
    )`.execute(db);
}
