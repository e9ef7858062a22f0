import { type Kysely, sql } from 'kysely';

/** What several processes know together for a moment. Unlogged: a crash of the database forgets it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // How often each address has called.
  await sql`
    create unlogged table rate_limits (
      -- of a call and an address; neither can be read back
      key bytea primary key,
      requests integer not null,
      ends_at timestamptz not null
    )`.execute(db);
  await sql`create index rate_limits_by_end on rate_limits (ends_at)`.execute(db);

  // What one at a time may do: free again when its holder has fallen silent.
  await sql`
    create unlogged table leases (
      name text primary key,
      holder uuid not null,
      ends_at timestamptz not null,
      is_wanted boolean not null default false
    )`.execute(db);
}
