import { type Kysely, sql } from 'kysely';

/** Codes by mail that confirm an action (docs/decisions/0051-code-by-mail.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table confirmation_codes (
      id uuid primary key,
      person_id uuid not null references people (id) on delete cascade,
      -- At most one for each session.
      session_id uuid not null unique,
      act text not null,
      params_hash bytea not null,
      -- Argon2id; null until the mail is sent, when the code is generated.
      code_hash text,
      tries integer not null default 0,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index confirmation_codes_of on confirmation_codes (person_id)`.execute(db);
  await sql`create index confirmation_codes_by_end on confirmation_codes (expires_at)`.execute(db);
}
