import { type Kysely, sql } from 'kysely';

/**
 * What is known about the taste of people who switched that on, and what is learned from everybody's watching
 * (docs/decisions/0096-for-you.md). No table of money refers to these, and no rule of money reads them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Who switched it on, and is 18 or older. Switching it off deletes the row, and with it what was watched.
    create table taste_people (
      person_id uuid primary key references people on delete cascade,
      switched_on_at timestamptz not null
    );
    create table taste_watches (
      person_id uuid not null references taste_people on delete cascade,
      reel_id uuid not null,
      watched_at timestamptz not null,
      to_end boolean not null,
      primary key (person_id, reel_id)
    );
    create index taste_watches_newest on taste_watches (person_id, watched_at desc, reel_id desc) include (to_end);
    -- To delete the oldest.
    create index taste_watches_by_time on taste_watches (watched_at);

    -- What those who watched a reel watched shortly after or before it, the best of each reel. It names nobody.
    create table next_reels (
      reel_id uuid not null,
      next_id uuid not null,
      weight real not null,
      people integer not null check (people >= 5),
      -- A list reads two thousand of them.
      primary key (reel_id, next_id) include (weight)
    );

    -- The most watched reels of the last seven days, of all ('') and of each category; and of a category its newest ones after them.
    create table top_reels (
      category text not null,
      place integer not null,
      reel_id uuid not null,
      -- watched views of the seven days
      views bigint not null,
      primary key (category, place)
    )`.execute(db);
}
