import { type Kysely, sql } from 'kysely';

/** Payout destinations of people (docs/decisions/0058-payout-destinations.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payout_destinations (
      person_id uuid primary key references people (id) on delete cascade,
      -- UPI id or bank account, encrypted by the keyring; null once it was removed
      details bytea,
      -- a keyed hash: the same for the same destination, also of other people
      fingerprint bytea,
      chosen_at timestamptz not null,
      -- no payment before this time; null if it was never on hold
      held_until timestamptz,
      check ((details is null) = (fingerprint is null))
    )`.execute(db);
  // The contract defines the kinds: a list here would have to be replaced with each new one.
  await sql`
    alter table notifications drop constraint notifications_kind_check,
      add constraint notifications_kind_check check (kind ~ '^[a-z_]{1,40}$')`.execute(db);
  // Creators who requested a withdrawal before there were destinations.
  await sql`
    insert into notifications (id, person_id, kind, fact_id, created_at)
    select gen_random_uuid(), creator_id, 'destination_needed', gen_random_uuid(), now()
    from withdrawals join people on people.id = creator_id
    where state = 'pending' group by creator_id`.execute(db);
}
