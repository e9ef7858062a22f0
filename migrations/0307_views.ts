import { type Kysely, sql } from 'kysely';

/**
 * Showings and views. Viewers and networks are hashed (docs/decisions/0056-hashed-viewers.md). Keys of tables that
 * many people write begin with the creator, and ids come from the program, so that they can later be distributed over many machines.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Views that were watched (docs/decisions/0053-watched-views.md). A showing that nobody watched has no row. The primary key is the
    -- rule: a viewer counts once for a reel on a day of the business time zone, the day of the showing.
    create table views (
      creator_id uuid not null,
      day date not null,
      reel_id uuid not null,
      viewer bytea not null,
      -- whether the viewer is a signed-in person
      signed_in boolean not null,
      -- the network of the showing
      network bytea not null,
      -- so that the audit can tell that it was watched
      shown_at timestamptz not null,
      watched_at timestamptz not null,
      -- a view of a copy pays only if a person finds that the work is its creator's own (docs/decisions/0075-views-of-copies.md)
      verdict text not null check (verdict in ('counted', 'copy')),
      -- whether it counts since that was found: its viewer is not among the accounts by which the month pays
      was_copy boolean not null default false,
      primary key (creator_id, day, reel_id, viewer)
    );
    -- To delete the oldest.
    create index views_by_day on views using brin (day);

    -- Views of each reel on each day, by verdict: shown, counted, or the reason why they do not pay.
    create table reel_days (
      reel_id uuid not null,
      creator_id uuid not null,
      day date not null,
      verdict text not null,
      views bigint not null,
      -- how many of the counted ones, or of those of a copy, have no row in \`views\`: there were too many of them
      without_row bigint not null default 0,
      primary key (reel_id, day, verdict)
    ) with (fillfactor = 80);

    -- What was watched lately, for For you.
    create index reel_days_by_day on reel_days using brin (day);

    -- How many rows of \`views\` without a login are from each network on each day.
    create table network_days (
      day date not null,
      network bytea not null,
      views integer not null,
      primary key (day, network)
    );

    -- Until when the time of a viewer is used, so that paid seconds never exceed the time that passed; and the number of views that counted
    -- on the day of the last one.
    create table watch_clocks (
      viewer bytea primary key,
      day date not null,
      views integer not null,
      watched_until timestamptz not null,
      -- needed time and arrival of the last report
      needed_ms integer not null,
      reported_at timestamptz not null
    );
    create index watch_clocks_by_time on watch_clocks using brin (reported_at);

    -- The last reel that was shown to a person in an app without leases.
    create table last_showings (
      person_id uuid primary key references people on delete cascade,
      reel_id uuid not null,
      needed_ms integer not null,
      shown_at timestamptz not null
    );

    -- Hashed browsers in which people were signed in: views in them of their own reels do not pay (docs/decisions/0054-own-views.md).
    create table seen_browsers (
      person_id uuid not null references people on delete cascade,
      browser bytea not null,
      seen_on date not null,
      -- when it was recorded on that day, to know which ones were used longest ago
      seen_at timestamptz not null,
      primary key (person_id, browser)
    );

    -- Established accounts (docs/decisions/0057-established-accounts.md): the signed-in viewers of a creator in a month, and how much each
    -- viewer watched in it.
    create table creator_viewers (
      creator_id uuid not null,
      month text not null,
      viewer bytea not null,
      primary key (creator_id, month, viewer)
    );
    create index creator_viewers_by_month on creator_viewers using brin (month);
    create table viewer_months (
      month text not null,
      viewer bytea not null,
      views integer not null,
      creators integer not null,
      -- one bit for each day of the month
      days integer not null,
      primary key (month, viewer)
    );
    -- The same accounts by person, once they have watched enough. It does not reveal what was watched.
    create table active_people (
      month text not null,
      person_id uuid not null,
      primary key (month, person_id)
    );
    create index active_people_of_person on active_people (person_id)`.execute(db);
}
