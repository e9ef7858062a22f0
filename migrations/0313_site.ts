import { type Kysely, sql } from 'kysely';

/** What the processes of a site share. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table settings (
      name text primary key,
      value text not null
    );

    -- The existing keys (docs/decisions/0041-keyring.md). The keys themselves are files outside the database.
    create table keyring_keys (
      name text not null,
      version integer not null,
      -- an HMAC by the key: proves that a file contains this key, and reveals nothing about it
      fingerprint bytea not null,
      made_at timestamptz not null default now(),
      -- null: not every process can read it yet, and none encrypts with it
      active_at timestamptz,
      lost_at timestamptz,
      primary key (name, version)
    );

    -- Purge requests to other caches, written in the transaction that hides the content.
    create table purges (
      id uuid primary key,
      keys text[] not null,
      paths text[] not null,
      is_gone boolean not null,
      created_at timestamptz not null,
      tries integer not null default 0,
      next_try_at timestamptz not null,
      done_at timestamptz
    );
    create index purges_due on purges (next_try_at, id) where done_at is null;

    -- Short-lived state. Unlogged: a crash of the database deletes it.

    -- Number of recent calls of each address.
    create unlogged table rate_limits (
      -- a keyed hash of call and address
      key bytea primary key,
      requests integer not null,
      ends_at timestamptz not null
    );
    create index rate_limits_by_end on rate_limits (ends_at);

    -- Leases for exclusive work: they expire if the holder does not renew them.
    create unlogged table leases (
      name text primary key,
      holder uuid not null,
      ends_at timestamptz not null,
      is_wanted boolean not null default false
    );

    -- Running processes, and the keys that each of them can read.
    create unlogged table key_holders (
      id uuid primary key,
      held text[] not null,
      seen_at timestamptz not null
    )`.execute(db);
}
