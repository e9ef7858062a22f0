import { type Kysely, sql } from 'kysely';

/**
 * Watched views of copies. They do not pay unless a person finds that the work is its creator's own; then they count in the month of that
 * decision, `reels.counts_from` (docs/decisions/0075-views-of-copies.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table copy_views (
      creator_id uuid not null,
      day date not null,
      reel_id uuid not null,
      viewer bytea not null,
      signed_in boolean not null,
      address bytea not null,
      shown_at timestamptz not null,
      watched_at timestamptz not null,
      primary key (creator_id, day, reel_id, viewer)
    )`.execute(db);
  // To count the views of one reel, and to delete old ones that do not count.
  await sql`create index copy_views_by_reel on copy_views (creator_id, reel_id, day)`.execute(db);
  await sql`create index copy_views_by_day on copy_views (day)`.execute(db);
}
