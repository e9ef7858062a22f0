import { type Kysely, sql } from 'kysely';

/** Withdrawals and their ledger, the app's activity, and data for the audit and for operators. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // From then on the month never changes: its amount was requested.
  await sql`alter table creator_months add column settled_at timestamptz`.execute(db);

  // Stays when the account is deleted (decisions §4): its creator is an id, not a reference.
  await sql`
    create table withdrawals (
      id uuid primary key,
      creator_id uuid not null,
      month char(7) not null,
      coins bigint not null check (coins >= 0),
      paise bigint not null check (paise > 0),
      state text not null check (state in ('pending', 'completed', 'rejected')),
      -- the payer's, if completed
      reference text,
      -- if rejected
      reason text,
      requested_at timestamptz not null,
      decided_at timestamptz,
      decided_by uuid,
      check ((state = 'completed') = (reference is not null)),
      check ((state = 'rejected') = (reason is not null)),
      check ((state = 'pending') = (decided_at is null))
    )`.execute(db);
  await sql`
    create unique index withdrawals_one_a_month on withdrawals (creator_id, month) where state <> 'rejected'`.execute(
    db,
  );
  await sql`create index withdrawals_of_creator on withdrawals (creator_id, requested_at desc, id desc)`.execute(
    db,
  );
  await sql`create index withdrawals_by_state on withdrawals (state, requested_at desc, id desc)`.execute(db);
  await sql`create index withdrawals_newest on withdrawals (requested_at desc, id desc)`.execute(db);

  // Append-only. One row is one step of one withdrawal, with one amount for debit and credit, so it is always balanced.
  await sql`
    create table ledger_transactions (
      id uuid primary key,
      withdrawal_id uuid not null references withdrawals,
      step text not null check (step in ('requested', 'completed', 'rejected')),
      debit text not null check (debit in ('earnings_expense', 'creator_payable', 'payouts')),
      credit text not null check (credit in ('earnings_expense', 'creator_payable', 'payouts')),
      paise bigint not null check (paise > 0),
      posted_at timestamptz not null,
      -- the operator who performed the step; none for the creator
      posted_by uuid,
      unique (withdrawal_id, step),
      check (debit <> credit)
    )`.execute(db);
  // Prevents changes by mistake, even by the owner of the table unless it is a superuser.
  await sql`revoke update, delete, truncate on ledger_transactions from current_user, public`.execute(db);
  // The same rows as entries: debits are positive, credits negative, and each step sums to zero.
  await sql`
    create view ledger_entries as
      select id as transaction_id, withdrawal_id, step, posted_at, debit as account, paise from ledger_transactions
      union all
      select id, withdrawal_id, step, posted_at, credit, -paise from ledger_transactions`.execute(db);

  // What the app reported about a person: one row for each event, under the id that the app gave it.
  await sql`
    create table activity_events (
      person_id uuid not null references people on delete cascade,
      id uuid not null,
      kind text not null check (kind in ('scroll', 'reel_like', 'photo_like', 'active_hour')),
      fact text not null,
      -- of the business time zone, when it was reported
      day char(10) not null,
      noted_at timestamptz not null,
      primary key (person_id, id),
      unique (person_id, kind, fact)
    )`.execute(db);
  await sql`create index activity_events_of_day on activity_events (person_id, day, kind)`.execute(db);
  await sql`
    create table activity_months (
      person_id uuid not null references people on delete cascade,
      month char(7) not null,
      scrolls integer not null default 0 check (scrolls >= 0),
      reel_likes integer not null default 0 check (reel_likes >= 0),
      photo_likes integer not null default 0 check (photo_likes >= 0),
      active_hours integer not null default 0 check (active_hours >= 0),
      primary key (person_id, month)
    )`.execute(db);

  // The network of a view, hashed like its viewer: many viewers behind one address are suspicious.
  await sql`alter table view_events add column address bytea`.execute(db);

  // A month's content, including deleted items.
  await sql`create index reels_published_by on reels (creator_id, published_at)`.execute(db);
  await sql`create index posts_published_by on posts (creator_id, published_at)`.execute(db);
  await sql`create index stories_published_by on stories (creator_id, published_at)`.execute(db);
}
