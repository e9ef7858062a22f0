import { type Kysely, sql } from 'kysely';

/** Withdrawals and their ledger. They stay when the account is deleted (decisions §4): a creator is an id, not a reference. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table withdrawals (
      id uuid primary key,
      creator_id uuid not null,
      month char(7) not null,
      coins bigint not null check (coins >= 0),
      -- smaller months that are paid with it, oldest first, each with its coins (docs/decisions/0061-carry-over.md)
      carried jsonb not null default '[]',
      paise bigint not null check (paise > 0),
      state text not null check (state in ('pending', 'completed', 'rejected')),
      -- the payer's, if completed
      reference text,
      -- if rejected
      reason text,
      requested_at timestamptz not null,
      -- when the last condition for paying it was met, of which its creator is notified
      ready_at timestamptz,
      decided_at timestamptz,
      decided_by uuid,
      check ((state = 'completed') = (reference is not null)),
      check ((state = 'rejected') = (reason is not null)),
      check ((state = 'pending') = (decided_at is null))
    );
    create unique index withdrawals_one_a_month on withdrawals (creator_id, month) where state <> 'rejected';
    -- One payment pays one withdrawal.
    create unique index withdrawals_one_reference on withdrawals (reference) where state = 'completed';
    create index withdrawals_of_creator on withdrawals (creator_id, requested_at desc, id desc);
    create index withdrawals_by_state on withdrawals (state, requested_at desc, id desc);
    create index withdrawals_newest on withdrawals (requested_at desc, id desc);

    -- Append-only. One row is one step of one withdrawal, with one amount for debit and credit, so it is always balanced.
    create table ledger_transactions (
      id uuid primary key,
      withdrawal_id uuid not null references withdrawals,
      step text not null check (step in ('requested', 'completed', 'rejected', 'returned')),
      -- A payment may be returned, and be made again: the steps of each attempt are posted once. 0: no attempt.
      attempt integer not null default 0,
      debit text not null check (debit in ('earnings_expense', 'creator_payable', 'payouts')),
      credit text not null check (credit in ('earnings_expense', 'creator_payable', 'payouts')),
      paise bigint not null check (paise > 0),
      posted_at timestamptz not null,
      -- the operator who performed the step; none for the creator
      posted_by uuid,
      constraint ledger_transactions_one_step unique (withdrawal_id, step, attempt),
      check (debit <> credit)
    );
    create trigger ledger_append_only before update or delete or truncate on ledger_transactions
      for each statement execute function refuse_rewriting();
    revoke update, delete, truncate on ledger_transactions from current_user, public;

    -- The same rows as entries: debits are positive, credits negative, and each step sums to zero.
    create view ledger_entries as
      select id as transaction_id, withdrawal_id, step, posted_at, debit as account, paise from ledger_transactions
      union all
      select id, withdrawal_id, step, posted_at, credit, -paise from ledger_transactions`.execute(db);
}
