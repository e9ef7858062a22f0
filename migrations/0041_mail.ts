import { type Kysely, sql } from 'kysely';

/** Mails to be sent, and the links in them (docs/decisions/0042-mail.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mails (
      id uuid primary key,
      -- null: the owner of the address, looked up when the mail is sent
      person_id uuid references people (id) on delete cascade,
      recipient text not null,
      recipient_key text not null,
      template text not null,
      -- encrypted by the keyring; null: none, or already sent
      parameters bytea,
      -- reports a finished action: never dropped, and bundled with others
      is_notice boolean not null,
      -- the requested language, if the person is not known yet
      language text,
      -- the first of those that are bundled into one mail
      bundle_id uuid,
      tries integer not null default 0,
      created_at timestamptz not null,
      next_try_at timestamptz not null,
      done_at timestamptz,
      outcome text check (outcome in ('sent', 'dropped', 'given_up'))
    )`.execute(db);
  await sql`create index mails_due on mails (next_try_at, id) where done_at is null`.execute(db);
  await sql`create index mails_to on mails (recipient_key, created_at)`.execute(db);
  await sql`create index mails_of on mails (person_id)`.execute(db);
  await sql`create index mails_done on mails (done_at)`.execute(db);

  await sql`
    create table account_links (
      token_hash bytea primary key,
      person_id uuid not null references people (id) on delete cascade,
      purpose text not null check (purpose in ('reset')),
      -- the address to which it was sent: the link is invalid once the account has another one
      email_key text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index account_links_of on account_links (person_id)`.execute(db);
  await sql`create index account_links_by_end on account_links (expires_at)`.execute(db);

  await sql`alter table people add column language text, add column email_verified_at timestamptz`.execute(
    db,
  );
}
