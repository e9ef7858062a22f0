import { type Kysely, sql } from 'kysely';

/** How withdrawals are paid: batches of operators, and attempts (docs/decisions/0062-batches-and-attempts.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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
    )`.execute(db);
  await sql`create index payout_batches_newest on payout_batches (made_at desc, id desc)`.execute(db);
  await sql`
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
      payer_id text,
      reference text,
      reason text,
      prepared_at timestamptz not null,
      approved_at timestamptz,
      sent_at timestamptz,
      paid_at timestamptz,
      -- when it failed, was returned or was cancelled
      ended_at timestamptz,
      primary key (creator_id, withdrawal_id, number),
      check (state not in ('paid', 'returned') or (reference is not null and paid_at is not null)),
      check ((state in ('failed', 'returned', 'cancelled')) = (ended_at is not null and reason is not null))
    )`.execute(db);
  // Prevents double payments: a next attempt is possible only after the final report that this one was not paid.
  await sql`
    create unique index payout_attempts_one_open on payout_attempts (creator_id, withdrawal_id)
    where state in ('prepared', 'exported', 'sent', 'unknown', 'paid')`.execute(db);
  await sql`
    create unique index payout_attempts_one_reference on payout_attempts (reference)
    where reference is not null`.execute(db);
  await sql`create index payout_attempts_of_batch on payout_attempts (batch_id)`.execute(db);
  await sql`
    insert into payout_attempts (creator_id, withdrawal_id, number, id, paise, state, reference, prepared_at, paid_at)
    select creator_id, id, 1, gen_random_uuid(), paise, 'paid', reference, decided_at, decided_at
    from withdrawals where state = 'completed'`.execute(db);

  // A payment may be returned, and be made again: the steps of each attempt are posted once. 0: no attempt.
  await sql`alter table ledger_transactions add column attempt integer not null default 0`.execute(db);
  await sql`
    alter table ledger_transactions drop constraint ledger_transactions_step_check,
      add constraint ledger_transactions_step_check check (step in ('requested', 'completed', 'rejected', 'returned')),
      drop constraint ledger_transactions_withdrawal_id_step_key,
      add constraint ledger_transactions_one_step unique (withdrawal_id, step, attempt)`.execute(db);
}
