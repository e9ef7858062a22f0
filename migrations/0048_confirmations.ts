import { type Kysely, sql } from 'kysely';

/** Confirmations of single actions (docs/decisions/0045-confirmation.md), and when a password was last set by a link. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table confirmations (
      token_hash bytea primary key,
      person_id uuid not null references people (id) on delete cascade,
      session_id uuid not null,
      act text not null,
      -- of the action's parameters
      params_hash bytea not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index confirmations_of on confirmations (person_id)`.execute(db);
  await sql`create index confirmations_by_end on confirmations (expires_at)`.execute(db);
  await sql`alter table people add column password_reset_at timestamptz`.execute(db);
}
