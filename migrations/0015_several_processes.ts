import { type Kysely, sql } from 'kysely';

/** Short-lived state that several processes share. Unlogged: a crash of the database deletes it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Number of recent calls of each address.
  await sql`
    create unlogged table rate_limits (
      -- a keyed hash of call and address
      key bytea primary key,
      requests integer not null,
      ends_at timestamptz not null
    )`.execute(db);
  await sql`create index rate_limits_by_end on rate_limits (ends_at)`.execute(db);

  // Leases for exclusive work: they expire if the holder does not renew them.
  await sql`
    create unlogged table leases (
      name text primary key,
      holder uuid not null,
      ends_at timestamptz not null,
      is_wanted boolean not null default false
    )`.execute(db);
}
