import { type Kysely, sql } from 'kysely';

/** Mails on their way, and links that stand in them (docs/decisions/0042-mail.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mails (
      id uuid primary key,
      -- null: whoever has the address, who is looked up when it is sent
      person_id uuid references people (id) on delete cascade,
      recipient text not null,
      recipient_key text not null,
      template text not null,
      -- encrypted by the keyring; null: none, or done with
      parameters bytea,
      -- tells of an act that is done: never dropped, and sent together with others
      is_notice boolean not null,
      -- the language that was asked for, where nobody is known yet
      language text,
      -- the first of those that are sent as one mail
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
      -- the address that it was sent to: it opens nothing once the account has another
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
