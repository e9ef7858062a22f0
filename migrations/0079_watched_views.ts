import { type Kysely, sql } from 'kysely';

/** Views that were watched (docs/decisions/0053-watched-views.md). A showing that nobody watched has no row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The primary key is the rule: a viewer counts once for a reel on a day of the business time zone.
  await sql`
    create table watched_views (
      creator_id uuid not null,
      day date not null,
      reel_id uuid not null,
      viewer bytea not null,
      -- whether the viewer is a signed-in person
      signed_in boolean not null,
      -- the network of the showing, hashed like the viewer, by the key of the month
      address bytea,
      watched_at timestamptz not null,
      primary key (creator_id, day, reel_id, viewer)
    )`.execute(db);

  // Until when the time of a viewer is used, so that paid seconds never exceed the time that passed; and the number of views that counted
  // on the day of the last one.
  await sql`
    create table watch_clocks (
      viewer bytea primary key,
      day date not null,
      views integer not null,
      watched_until timestamptz not null,
      -- needed time and arrival of the last report
      needed_ms integer not null,
      reported_at timestamptz not null
    )`.execute(db);
  await sql`create index watch_clocks_by_time on watch_clocks using brin (reported_at)`.execute(db);

  // The last reel that was shown to a person in an app without leases.
  await sql`
    create table last_showings (
      person_id uuid primary key references people on delete cascade,
      reel_id uuid not null,
      needed_ms integer not null,
      shown_at timestamptz not null
    )`.execute(db);

  // Hashed browsers and networks in which people were signed in: views from there of their own reels do not pay
  // (docs/decisions/0054-own-views.md).
  await sql`
    create table seen_browsers (
      person_id uuid not null references people on delete cascade,
      browser bytea not null,
      seen_on date not null,
      primary key (person_id, browser)
    )`.execute(db);
  await sql`
    create table seen_networks (
      person_id uuid not null references people on delete cascade,
      day date not null,
      network bytea not null,
      primary key (person_id, day, network)
    )`.execute(db);
  // To find other people in a network.
  await sql`create index seen_networks_by_network on seen_networks (network, day, person_id)`.execute(db);
}
