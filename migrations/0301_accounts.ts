import { type Kysely, sql } from 'kysely';

/** How people sign up and log in, and change their addresses and passwords. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sessions (
      token_hash bytea primary key,
      -- the public id, since the hash of the token is secret
      id uuid not null default gen_random_uuid(),
      person_id uuid not null references people on delete cascade,
      device text,
      -- an IPv4 /16 or IPv6 /32, encrypted by the keyring
      network bytea,
      -- so that logging out also ends the session there; null for a password
      issuer text,
      -- when it passed the second factor
      factor_at timestamptz,
      created_at timestamptz not null,
      used_at timestamptz not null
    );
    create index sessions_person on sessions (person_id);

    -- Identified by (issuer, subject), never by e-mail address; at most one at each issuer.
    create table identities (
      issuer text not null,
      subject text not null,
      person_id uuid not null references people on delete cascade,
      -- under which the issuer knows the account; null until the next login with it
      email text,
      linked_at timestamptz not null,
      primary key (issuer, subject),
      unique (person_id, issuer)
    );

    -- Used once, valid for minutes, stored only as hashes; using one deletes it.
    create table sign_in_nonces (
      hash bytea primary key,
      expires_at timestamptz not null
    );
    create index sign_in_nonces_expired on sign_in_nonces (expires_at);

    -- Recent wrong passwords, by keyed hashes: of an account at an address, of the account, of the address. The same for accounts that do
    -- not exist. Stored here, so that every server limits the same guesser.
    create table password_guesses (
      kind smallint not null,
      key bytea not null,
      failures integer not null default 0,
      paused_until timestamptz,
      tried_at timestamptz not null,
      primary key (kind, key)
    );
    create index password_guesses_old on password_guesses (tried_at);

    -- Hashed networks from which a person has logged in: guesses of others do not limit them there.
    create table sign_in_places (
      person_id uuid not null references people on delete cascade,
      place bytea not null,
      used_at timestamptz not null,
      primary key (person_id, place)
    );
    create index sign_in_places_old on sign_in_places (used_at);

    -- The links in mails (docs/decisions/0042-mail.md).
    create table account_links (
      token_hash bytea primary key,
      person_id uuid not null references people on delete cascade,
      purpose text not null check (purpose in ('reset', 'verify', 'change', 'undo')),
      -- the address to which it was sent: the link is invalid once the account has another one
      email_key text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null
    );
    create index account_links_of on account_links (person_id);
    create index account_links_by_end on account_links (expires_at);

    -- docs/decisions/0048-change-of-address.md
    create table email_changes (
      person_id uuid not null references people on delete cascade,
      id uuid not null,
      email text not null,
      email_key text not null,
      old_email text not null,
      old_email_key text not null,
      created_at timestamptz not null,
      -- null while it waits for the proof of the new address
      changed_at timestamptz,
      -- until then the new address can be verified, and after that the change undone
      expires_at timestamptz not null,
      primary key (person_id, id)
    );
    create index email_changes_from on email_changes (old_email_key);
    create index email_changes_by_end on email_changes (expires_at);

    -- A URL for downloading one's data: valid once, for a few minutes; stored hashed like a session's token.
    create table export_tickets (
      token_hash bytea primary key,
      person_id uuid not null references people on delete cascade,
      created_at timestamptz not null,
      used_at timestamptz
    );
    create index export_tickets_of_person on export_tickets (person_id, created_at)`.execute(db);
}
