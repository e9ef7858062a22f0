import { type Kysely, sql } from 'kysely';

/** Where a session is from (docs/decisions/0044-sessions.md); null in sessions that were opened before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sessions
      -- what its person calls it by: the hash of its token is nobody's business
      add column id uuid not null default gen_random_uuid(),
      add column device text,
      -- an IPv4 /16 or IPv6 /32, encrypted by the keyring
      add column network bytea`.execute(db);
}
