import { type Kysely, sql } from 'kysely';

/** Open questions about payments after a restore (docs/decisions/0069-after-a-restore.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payout_locks (
      id uuid primary key,
      -- payments since then are not in the restored database
      snapshot_at timestamptz not null,
      restored_at timestamptz not null,
      lifted_at timestamptz,
      lifted_by uuid,
      check ((lifted_at is null) = (lifted_by is null))
    )`.execute(db);
  await sql`
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
