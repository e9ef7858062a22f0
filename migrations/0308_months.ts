import { type Kysely, sql } from 'kysely';

/** What each creator's month counts, and what the app reports about people. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Append-only for everybody, including the table's owner and superusers, to whom revoked privileges do not apply.
    create function refuse_rewriting() returns trigger language plpgsql as $$
    begin
      raise exception '% is only ever added to', tg_table_name;
    end $$;

    -- Months in which something was counted. Each is closed once, after its end (docs/decisions/0088-closing-of-months.md): whatever adds to a
    -- month holds a share lock of its row until it commits, and is refused once \`closed_at\` is set.
    create table months (
      month char(7) primary key,
      -- views that an established account lets pay: of each creator that it watched, and of all together
      views_per_creator integer not null check (views_per_creator >= 0),
      views_in_all integer not null check (views_in_all >= 0),
      -- whether addresses could be verified, so that only accounts with a verified one are established; from its closing
      has_mail boolean,
      -- the rates and rules of its results
      rules jsonb,
      closed_at timestamptz,
      -- when the last result was written
      counted_at timestamptz,
      -- when its single views began to be deleted; counts by reel and day stay
      views_deleted_at timestamptz,
      check ((closed_at is null) = (rules is null)),
      check (counted_at is null or closed_at is not null)
    );
    create index months_uncounted on months (month) where counted_at is null;

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
      primary key (creator_id, month)
    ) with (fillfactor = 80);
    create index creator_months_by_month on creator_months (month, creator_id);

    -- Written when a month is closed: the established accounts, and the views of each creator whom they watched that they let pay.
    create table established_accounts (
      month char(7) not null,
      person_id uuid not null,
      views integer not null,
      primary key (month, person_id)
    );
    -- How many of them watched a creator, and how many views they let pay together.
    create table month_shares (
      month char(7) not null,
      creator_id uuid not null,
      accounts integer not null,
      views bigint not null,
      -- the most of these accounts that were created on one day
      of_one_day integer not null,
      primary key (month, creator_id)
    );

    -- What each creator's month pays, written once after it was closed.
    create table month_results (
      creator_id uuid not null,
      month char(7) not null references months,
      reels integer not null,
      posts integer not null,
      stories integer not null,
      views bigint not null,
      likes bigint not null,
      -- how many of them pay
      paid_reels integer not null,
      paid_posts integer not null,
      paid_stories integer not null,
      paid_views bigint not null,
      paid_likes bigint not null,
      -- the established accounts that watched the creator, and the views that they let pay
      accounts integer not null,
      account_views bigint not null,
      coins bigint not null check (coins >= 0),
      paise bigint not null check (paise >= 0),
      -- whether it may be paid with a later month if it is too small to be paid alone
      may_be_carried boolean not null,
      -- signs of fraud with their evidence (docs/decisions/0067-marks.md): [{"mark": …, "found": …, "of": …}]
      marks jsonb not null default '[]',
      primary key (creator_id, month)
    );
    create index month_results_by_month on month_results (month, creator_id);
    -- Operators look through the months in which views wait.
    create index month_results_waiting on month_results (month desc, creator_id desc) where views > paid_views;
    create trigger month_results_append_only before update or delete or truncate on month_results
      for each statement execute function refuse_rewriting();

    -- What operators decided about a closed month: its result never changes, and the coins count in a month that is still open.
    create table adjustments (
      id uuid primary key,
      creator_id uuid not null,
      -- the month whose views it is about, and the one in which its coins count
      month char(7) not null,
      counts_in char(7) not null check (counts_in >= month),
      -- views above the limit that were released or are void, paying views that are void (docs/decisions/0064-voided-views.md), and
      -- a work that was taken for a copy and is none (docs/decisions/0075-views-of-copies.md)
      kind text not null check (kind in ('released', 'void_waiting', 'void_paid', 'own')),
      work_id uuid,
      views bigint not null check (views >= 0),
      -- below zero if they are taken back
      coins bigint not null,
      reason text not null,
      at timestamptz not null,
      -- none for a command on the server
      by uuid,
      -- each is decided once
      unique nulls not distinct (creator_id, month, kind, work_id),
      check ((kind = 'own') = (work_id is not null)),
      check (kind = 'own' or views > 0),
      check (case when kind in ('released', 'own') then coins >= 0 else coins <= 0 end)
    );
    create index adjustments_of_works on adjustments (work_id, month) where work_id is not null;
    create trigger adjustments_append_only before update or delete or truncate on adjustments
      for each statement execute function refuse_rewriting();

    -- Creators who requested a review of their waiting views, once in a calendar month.
    create table month_looks (
      creator_id uuid not null,
      -- the month in which it was requested
      month text not null,
      asked_at timestamptz not null,
      primary key (creator_id, month)
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
