import { type Kysely, sql } from 'kysely';

/** The existing keys (docs/decisions/0041-keyring.md). The keys themselves are files outside the database. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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
    )`.execute(db);

  // Running processes, and the keys that each of them can read. Unlogged: a crash of the database deletes it.
  await sql`
    create unlogged table key_holders (
      id uuid primary key,
      held text[] not null,
      seen_at timestamptz not null
    )`.execute(db);
}
