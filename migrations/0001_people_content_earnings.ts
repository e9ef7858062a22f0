import { type Kysely, sql } from 'kysely';

/**
 * Every key that a hot path writes includes the creator, ids come from the program, and there are no sequences or triggers, so that the
 * tables can later be distributed over many machines by creator.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table people (
      id uuid primary key,
      name text not null,
      username text not null,
      username_key text not null unique,
      email text not null,
      email_key text not null unique,
      password_hash text not null,
      picture_key text,
      role text not null default 'person' check (role in ('person', 'operator')),
      suspended_at timestamptz,
      follower_count integer not null default 0 check (follower_count >= 0),
      following_count integer not null default 0 check (following_count >= 0),
      reel_count integer not null default 0 check (reel_count >= 0),
      post_count integer not null default 0 check (post_count >= 0),
      created_at timestamptz not null
    )`.execute(db);

  await sql`
    create table sessions (
      token_hash bytea primary key,
      person_id uuid not null references people on delete cascade,
      created_at timestamptz not null,
      used_at timestamptz not null
    )`.execute(db);
  await sql`create index sessions_person on sessions (person_id)`.execute(db);

  await sql`
    create table follows (
      follower_id uuid not null references people on delete cascade,
      followee_id uuid not null references people on delete cascade,
      followed_at timestamptz not null,
      primary key (follower_id, followee_id),
      check (follower_id <> followee_id)
    )`.execute(db);
  await sql`create index follows_newest_followers on follows (followee_id, followed_at desc)`.execute(db);
  await sql`create index follows_newest_following on follows (follower_id, followed_at desc)`.execute(db);

  // A file that arrived and was checked; it stays in the inbox until something is published from it.
  await sql`
    create table uploads (
      key text primary key,
      owner_id uuid not null references people on delete cascade,
      kind text not null check (kind in ('video', 'photo', 'thumbnail')),
      bytes bigint not null,
      sha256 bytea not null,
      -- files made of a photo at once: size, widths and placeholder
      facts jsonb,
      created_at timestamptz not null,
      used_at timestamptz
    )`.execute(db);
  await sql`create index uploads_unused on uploads (created_at) where used_at is null`.execute(db);

  // The first publication of each file: publishing the same bytes again earns nothing (decisions §4).
  await sql`
    create table published_files (
      sha256 bytea primary key,
      creator_id uuid not null,
      published_at timestamptz not null
    )`.execute(db);

  await sql`
    create table reels (
      id uuid primary key,
      creator_id uuid not null references people on delete cascade,
      media_key text not null unique,
      thumbnail_key text,
      caption text not null,
      credit text not null,
      categories text[] not null,
      state text not null check (state in ('processing', 'ready', 'failed')),
      failure text,
      sha256 bytea not null,
      duplicate boolean not null default false,
      placeholder text not null default '',
      width integer not null default 0,
      height integer not null default 0,
      seconds double precision not null default 0,
      views bigint not null default 0,
      like_count integer not null default 0 check (like_count >= 0),
      comment_count integer not null default 0 check (comment_count >= 0),
      share_count integer not null default 0,
      uploaded_at timestamptz not null,
      published_at timestamptz,
      deleted_at timestamptz
    )`.execute(db);
  await sql`
    create index reels_feed on reels (published_at desc, id desc)
    where state = 'ready' and deleted_at is null`.execute(db);
  await sql`create index reels_of_creator on reels (creator_id, uploaded_at desc, id desc) where deleted_at is null`.execute(
    db,
  );

  await sql`
    create table reel_likes (
      reel_id uuid not null references reels on delete cascade,
      person_id uuid not null references people on delete cascade,
      liked_at timestamptz not null,
      primary key (reel_id, person_id)
    )`.execute(db);
  await sql`create index reel_likes_newest on reel_likes (reel_id, liked_at desc)`.execute(db);

  await sql`
    create table reel_comments (
      id uuid primary key,
      reel_id uuid not null references reels on delete cascade,
      person_id uuid not null references people on delete cascade,
      text text not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index reel_comments_newest on reel_comments (reel_id, created_at desc)`.execute(db);

  await sql`
    create table category_counts (
      category text primary key,
      reels integer not null check (reels >= 0)
    )`.execute(db);

  await sql`
    create table posts (
      id uuid primary key,
      creator_id uuid not null references people on delete cascade,
      media_key text not null unique,
      caption text not null,
      description text not null,
      sha256 bytea not null,
      duplicate boolean not null default false,
      placeholder text not null,
      width integer not null,
      height integer not null,
      widths integer[] not null,
      like_count integer not null default 0 check (like_count >= 0),
      published_at timestamptz not null,
      deleted_at timestamptz
    )`.execute(db);
  await sql`create index posts_feed on posts (published_at desc, id desc) where deleted_at is null`.execute(
    db,
  );
  await sql`create index posts_of_creator on posts (creator_id, published_at desc, id desc) where deleted_at is null`.execute(
    db,
  );

  // A like counts once per person and post: an undone like stays, with its date, so that it cannot be counted again.
  await sql`
    create table post_likes (
      post_id uuid not null references posts on delete cascade,
      person_id uuid not null references people on delete cascade,
      liked_at timestamptz not null,
      undone_at timestamptz,
      primary key (post_id, person_id)
    )`.execute(db);
  await sql`create index post_likes_newest on post_likes (post_id, liked_at desc) where undone_at is null`.execute(
    db,
  );

  await sql`
    create table stories (
      id uuid primary key,
      creator_id uuid not null references people on delete cascade,
      media_key text not null unique,
      status_text text not null,
      sha256 bytea not null,
      duplicate boolean not null default false,
      placeholder text not null,
      width integer not null,
      height integer not null,
      widths integer[] not null,
      published_at timestamptz not null,
      deleted_at timestamptz
    )`.execute(db);
  await sql`create index stories_of_creator on stories (creator_id, published_at desc, id desc) where deleted_at is null`.execute(
    db,
  );
  await sql`create index stories_newest on stories (published_at desc, id desc) where deleted_at is null`.execute(
    db,
  );

  // Every accepted view, permanently: earnings are derived from these rows.
  await sql`
    create table view_events (
      id uuid primary key,
      creator_id uuid not null,
      reel_id uuid not null,
      viewer bytea not null,
      verdict text not null check (verdict in ('counted', 'repeated', 'own', 'bot', 'over_limit', 'copy')),
      seen_at timestamptz not null
    )`.execute(db);
  await sql`create index view_events_of_reel on view_events (reel_id, seen_at)`.execute(db);

  // When each viewer last counted for each reel: once in 24 hours (decisions §4).
  await sql`
    create table view_windows (
      reel_id uuid not null,
      viewer bytea not null,
      counted_at timestamptz not null,
      primary key (reel_id, viewer)
    )`.execute(db);
  await sql`create index view_windows_of_viewer on view_windows (viewer, counted_at)`.execute(db);

  // Views of each reel in each month by verdict.
  await sql`
    create table reel_months (
      reel_id uuid not null,
      creator_id uuid not null,
      month char(7) not null,
      verdict text not null,
      views bigint not null,
      primary key (reel_id, month, verdict)
    )`.execute(db);
  await sql`create index reel_months_of_creator on reel_months (creator_id, month)`.execute(db);

  // A creator's month: counters that each event changes in its own transaction (decisions §4).
  await sql`
    create table creator_months (
      creator_id uuid not null,
      month char(7) not null,
      reels integer not null default 0 check (reels >= 0),
      posts integer not null default 0 check (posts >= 0),
      stories integer not null default 0 check (stories >= 0),
      views bigint not null default 0 check (views >= 0),
      likes bigint not null default 0 check (likes >= 0),
      primary key (creator_id, month)
    )`.execute(db);

  await sql`create table settings (name text primary key, value text not null)`.execute(db);
}
