import { type Kysely, sql } from 'kysely';

/**
 * Accounts from before addresses were verified have 90 days from here to do so. The default is computed once and rewrites no row; then it
 * is removed, so that newer accounts have null.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table people add column verify_email_by timestamptz default now() + interval '90 days'`.execute(
    db,
  );
  await sql`alter table people alter column verify_email_by drop default`.execute(db);
}
