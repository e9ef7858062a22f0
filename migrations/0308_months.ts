import { type Kysely, sql } from 'kysely';

/** What each creator's month counts, and what the app reports about people. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Counters that each event changes in its own transaction (decisions §4).
    create table creator_months (
      creator_id uuid not null,
      month char(7) not null,
      reels integer not null default 0 check (reels >= 0),
      posts integer not null default 0 check (posts >= 0),
      stories integer not null default 0 check (stories >= 0),
      views bigint not null default 0 check (views >= 0),
      likes bigint not null default 0 check (likes >= 0),
      -- rows of \`views\`, also of copies
      view_rows integer not null default 0,
      -- From then on the month never changes: its amount was requested.
      settled_at timestamptz,
      primary key (creator_id, month)
    ) with (fillfactor = 80);

    -- Released views of a month: their coins count in the month of the release.
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
    );

    -- Voided views of a month, and their coins that are taken back (docs/decisions/0064-voided-views.md).
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
    );

    -- Creators who requested a review of their waiting views, once in a calendar month.
    create table month_looks (
      creator_id uuid not null,
      -- the month in which it was requested
      month text not null,
      asked_at timestamptz not null,
      primary key (creator_id, month)
    );

    -- Signs of fraud in a creator's month, found each night (docs/decisions/0067-marks.md).
    create table month_marks (
      creator_id uuid not null,
      month text not null,
      mark text not null,
      -- evidence: found of out_of
      found integer not null check (found >= 0),
      out_of integer not null check (out_of > 0),
      found_at timestamptz not null,
      primary key (creator_id, month, mark)
    );

    -- What the app reported about a person: one row for each event, under the id that the app gave it.
    create table activity_events (
      person_id uuid not null references people on delete cascade,
      id uuid not null,
      kind text not null check (kind in ('scroll', 'reel_like', 'photo_like', 'active_hour')),
      fact text not null,
      -- of the business time zone, when it was reported
      day char(10) not null,
      noted_at timestamptz not null,
      primary key (person_id, id),
      unique (person_id, kind, fact)
    );
    create index activity_events_of_day on activity_events (person_id, day, kind);
    create table activity_months (
      person_id uuid not null references people on delete cascade,
      month char(7) not null,
      scrolls integer not null default 0 check (scrolls >= 0),
      reel_likes integer not null default 0 check (reel_likes >= 0),
      photo_likes integer not null default 0 check (photo_likes >= 0),
      active_hours integer not null default 0 check (active_hours >= 0),
      primary key (person_id, month)
    )`.execute(db);
}
