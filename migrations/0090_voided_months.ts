import { type Kysely, sql } from 'kysely';

/** Voided views of a month, and their coins that are taken back (docs/decisions/0064-voided-views.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table month_voids (
      creator_id uuid not null,
      month text not null,
      -- the views above the limit, which wait or were released, or those that pay
      what text not null check (what in ('waiting', 'paid')),
      -- the month in which the coins are taken back
      counts_in text not null check (counts_in >= month),
      views integer not null check (views > 0),
      coins integer not null check (coins >= 0),
      reason text not null,
      voided_at timestamptz not null,
      voided_by uuid,
      primary key (creator_id, month, what)
    )`.execute(db);
  // Creators who requested a review of their waiting views, once in a calendar month.
  await sql`
    create table month_looks (
      creator_id uuid not null,
      -- the month in which it was requested
      month text not null,
      asked_at timestamptz not null,
      primary key (creator_id, month)
    )`.execute(db);
}
