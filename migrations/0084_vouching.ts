import { type Kysely, sql } from 'kysely';

/** Established accounts, the creators that they watched, and released views (docs/decisions/0057-established-accounts.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Signed-in viewers of a creator in a month, by their hash of the month.
  await sql`
    create table creator_viewers (
      creator_id uuid not null,
      month text not null,
      viewer bytea not null,
      primary key (creator_id, month, viewer)
    )`.execute(db);
  await sql`
    create table viewer_months (
      viewer bytea primary key,
      month text not null,
      views integer not null,
      creators integer not null,
      -- one bit for each day of the month
      days integer not null,
      -- whether the account is old enough and its address verified at the end of the month
      counts boolean not null
    )`.execute(db);
  // The same accounts by person, once they have watched enough: for likes, which are not stored by viewer hash. It does not reveal what was
  // watched, and stays when the account is deleted.
  await sql`
    create table active_people (
      person_id uuid not null,
      month text not null,
      creators integer not null,
      counts boolean not null,
      primary key (person_id, month)
    )`.execute(db);
  // Released views of a month: their coins count in the month of the release.
  await sql`
    create table month_releases (
      creator_id uuid not null,
      month text not null,
      counts_in text not null check (counts_in > month),
      views integer not null check (views > 0),
      coins integer not null check (coins >= 0),
      reason text not null,
      released_at timestamptz not null,
      released_by uuid,
      primary key (creator_id, month)
    )`.execute(db);
}
