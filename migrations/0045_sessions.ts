import { type Kysely, sql } from 'kysely';

/** Device and network of a session (docs/decisions/0044-sessions.md); null in sessions that were opened before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sessions
      -- the public id, since the hash of the token is secret
      add column id uuid not null default gen_random_uuid(),
      add column device text,
      -- an IPv4 /16 or IPv6 /32, encrypted by the keyring
      add column network bytea`.execute(db);
}
