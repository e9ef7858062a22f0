import { type Kysely, sql } from 'kysely';

/** How people prove that it is them: confirmations of single acts, second factors and passkeys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- docs/decisions/0045-confirmation.md
    create table confirmations (
      token_hash bytea primary key,
      person_id uuid not null references people on delete cascade,
      session_id uuid not null,
      act text not null,
      -- of the action's parameters
      params_hash bytea not null,
      expires_at timestamptz not null
    );
    create index confirmations_of on confirmations (person_id);
    create index confirmations_by_end on confirmations (expires_at);

    -- Codes by mail that confirm an action (docs/decisions/0051-code-by-mail.md).
    create table confirmation_codes (
      id uuid primary key,
      person_id uuid not null references people on delete cascade,
      -- at most one for each session
      session_id uuid not null unique,
      act text not null,
      params_hash bytea not null,
      -- Argon2id; null until the mail is sent, when the code is generated
      code_hash text,
      tries integer not null default 0,
      expires_at timestamptz not null
    );
    create index confirmation_codes_of on confirmation_codes (person_id);
    create index confirmation_codes_by_end on confirmation_codes (expires_at);

    -- The second factor of operators (docs/decisions/0050-second-factor.md).
    create table second_factors (
      person_id uuid primary key references people on delete cascade,
      -- encrypted by the keyring; null until the first code of the app was accepted
      secret bytea,
      enrolled_at timestamptz,
      -- the time step of the last accepted code: neither that code nor an earlier one is accepted again
      used_step bigint,
      -- a secret that waits for its first code, in the session that requested it
      pending bytea,
      pending_session uuid,
      pending_until timestamptz,
      -- the one-time code by which the operator enrols
      invitation_hash bytea,
      invitation_until timestamptz
    );
    create table recovery_codes (
      person_id uuid not null references people on delete cascade,
      code_hash bytea not null,
      primary key (person_id, code_hash)
    );

    -- docs/decisions/0059-passkeys.md
    create table passkeys (
      id uuid primary key,
      person_id uuid not null references people on delete cascade,
      credential_id text not null unique,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      name text not null,
      -- whether it was added after a second factor: then it counts as one for an operator
      is_factor boolean not null,
      created_at timestamptz not null,
      used_at timestamptz
    );
    create index passkeys_of on passkeys (person_id);
    create table passkey_challenges (
      challenge_hash bytea primary key,
      purpose text not null check (purpose in ('add', 'log_in', 'confirm')),
      -- null: nobody is logged in yet
      session_id uuid,
      -- of the confirmed action and its parameters
      params_hash bytea,
      expires_at timestamptz not null
    );
    create index passkey_challenges_by_end on passkey_challenges (expires_at)`.execute(db);
}
