import { type Kysely, sql } from 'kysely';

/**
 * Showings and views. Viewers and networks are hashed by the key of the month (docs/decisions/0056-month-keys.md). Keys of tables that
 * many people write begin with the creator, and ids come from the program, so that they can later be distributed over many machines.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Views that were watched (docs/decisions/0053-watched-views.md). A showing that nobody watched has no row. The primary key is the
    -- rule: a viewer counts once for a reel on a day of the business time zone.
    create table watched_views (
      creator_id uuid not null,
      day date not null,
      reel_id uuid not null,
      viewer bytea not null,
      -- whether the viewer is a signed-in person
      signed_in boolean not null,
      -- the network of the showing
      address bytea,
      -- so that the audit can tell that it was watched
      shown_at timestamptz not null,
      watched_at timestamptz not null,
      primary key (creator_id, day, reel_id, viewer)
    );

    -- Watched views without a login from the creator's own network. They count once three other accounts were seen there in their month
    -- (docs/decisions/0073-own-network-decided-by-the-month.md); until then they are in no counter.
    create table own_network_views (
      creator_id uuid not null,
      day date not null,
      reel_id uuid not null,
      viewer bytea not null,
      -- as in seen_networks
      network bytea not null,
      shown_at timestamptz not null,
      watched_at timestamptz not null,
      primary key (creator_id, day, reel_id, viewer)
    );
    -- To find views that count once another account is seen in a network.
    create index own_network_views_by_network on own_network_views (network, creator_id);

    -- Watched views of copies. They do not pay unless a person finds that the work is its creator's own; then they count in the month of
    -- that decision, reels.counts_from (docs/decisions/0075-views-of-copies.md).
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
    );
    -- To count the views of one reel, and to delete old ones that do not count.
    create index copy_views_by_reel on copy_views (creator_id, reel_id, day);
    create index copy_views_by_day on copy_views (day);

    -- Views of each reel in each month by verdict.
    create table reel_months (
      reel_id uuid not null,
      creator_id uuid not null,
      month char(7) not null,
      verdict text not null,
      views bigint not null,
      primary key (reel_id, month, verdict)
    ) with (fillfactor = 80);
    create index reel_months_of_creator on reel_months (creator_id, month);

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

    -- Hashed browsers and networks in which people were signed in: views from there of their own reels do not pay
    -- (docs/decisions/0054-own-views.md).
    create table seen_browsers (
      person_id uuid not null references people on delete cascade,
      browser bytea not null,
      seen_on date not null,
      -- when it was recorded on that day, to know which ones were used longest ago
      seen_at timestamptz not null,
      primary key (person_id, browser)
    );
    create table seen_networks (
      person_id uuid not null references people on delete cascade,
      day date not null,
      network bytea not null,
      primary key (person_id, day, network)
    );
    -- To find other people in a network.
    create index seen_networks_by_network on seen_networks (network, day, person_id);

    -- Established accounts (docs/decisions/0057-established-accounts.md): the signed-in viewers of a creator in a month, and how much each
    -- viewer watched in it.
    create table creator_viewers (
      creator_id uuid not null,
      month text not null,
      viewer bytea not null,
      primary key (creator_id, month, viewer)
    );
    create table viewer_months (
      viewer bytea primary key,
      month text not null,
      views integer not null,
      creators integer not null,
      -- one bit for each day of the month
      days integer not null,
      -- whether the account is old enough and its address verified at the end of the month
      counts boolean not null
    );
    -- The same accounts by person, once they have watched enough: for likes, which are not stored by viewer hash. It does not reveal what
    -- was watched, and stays when the account is deleted.
    create table active_people (
      person_id uuid not null,
      month text not null,
      creators integer not null,
      counts boolean not null,
      primary key (person_id, month)
    )`.execute(db);
}
