import { type Kysely, sql } from 'kysely';

/** A link may also verify an address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table account_links drop constraint account_links_purpose_check`.execute(db);
  await sql`
    alter table account_links add constraint account_links_purpose_check
      check (purpose in ('reset', 'verify'))`.execute(db);
}
