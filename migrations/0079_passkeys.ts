import { type Kysely, sql } from 'kysely';

/** Passkeys, and open challenges (docs/decisions/0059-passkeys.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table passkeys (
      id uuid primary key,
      person_id uuid not null references people (id) on delete cascade,
      credential_id text not null unique,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      name text not null,
      -- Whether it was added after a second factor: then it counts as one for an operator.
      is_factor boolean not null,
      created_at timestamptz not null,
      used_at timestamptz
    )`.execute(db);
  await sql`create index passkeys_of on passkeys (person_id)`.execute(db);
  await sql`
    create table passkey_challenges (
      challenge_hash bytea primary key,
      purpose text not null check (purpose in ('add', 'log_in', 'confirm')),
      -- Null: nobody is logged in yet.
      session_id uuid,
      -- Of the confirmed action and its parameters.
      params_hash bytea,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index passkey_challenges_by_end on passkey_challenges (expires_at)`.execute(db);
}
