import { type Kysely, sql } from 'kysely';

/** The second factor of operators (docs/decisions/0050-second-factor.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table second_factors (
      person_id uuid primary key references people (id) on delete cascade,
      -- Encrypted by the keyring. Null until the first code of the app was accepted.
      secret bytea,
      enrolled_at timestamptz,
      -- The time step of the last accepted code: neither that code nor an earlier one is accepted again.
      used_step bigint,
      -- A secret that waits for its first code, in the session that requested it.
      pending bytea,
      pending_session uuid,
      pending_until timestamptz,
      -- The one-time code by which the operator enrols.
      invitation_hash bytea,
      invitation_until timestamptz
    )`.execute(db);
  await sql`
    create table recovery_codes (
      person_id uuid not null references people (id) on delete cascade,
      code_hash bytea not null,
      primary key (person_id, code_hash)
    )`.execute(db);
  // When the session passed the second factor.
  await sql`alter table sessions add column factor_at timestamptz`.execute(db);
}
