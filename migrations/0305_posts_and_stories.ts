import { type Kysely, sql } from 'kysely';

/** Photo posts and stories; as reels, they stay when the account is deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table posts (
      id uuid primary key,
      creator_id uuid not null,
      media_key text not null unique,
      -- the folder of files that are made after publication, and their sizes; null: not tried yet
      extra_key text,
      extra_files jsonb,
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
      -- when its owner last changed its words
      edited_at timestamptz,
      deleted_at timestamptz,
      taken_down_at timestamptz,
      -- an operator took down this copy or this content, or it waits for an operator, since it looks like such content
      taken_down_as text check (taken_down_as in ('copy', 'content', 'waiting')),
      taken_down_reason text,
      check ((taken_down_at is null) = (taken_down_as is null)),
      check ((taken_down_as in ('copy', 'content')) = (taken_down_reason is not null))
    ) with (fillfactor = 80);
    create index posts_feed on posts (published_at desc, id desc) where deleted_at is null;
    create index posts_of_creator on posts (creator_id, published_at desc, id desc) where deleted_at is null;
    create index posts_published_by on posts (creator_id, published_at);
    create index posts_taken_down on posts (media_key) where taken_down_at is not null;

    -- A like counts once per person and post: an undone like stays, with its date, so that it cannot be counted again.
    create table post_likes (
      post_id uuid not null references posts on delete cascade,
      person_id uuid not null,
      liked_at timestamptz not null,
      undone_at timestamptz,
      primary key (post_id, person_id)
    );
    create index post_likes_newest on post_likes (post_id, liked_at desc) where undone_at is null;
    create index post_likes_by_person_id on post_likes (person_id);

    create table stories (
      id uuid primary key,
      creator_id uuid not null,
      media_key text not null unique,
      extra_key text,
      extra_files jsonb,
      status_text text not null,
      sha256 bytea not null,
      duplicate boolean not null default false,
      placeholder text not null,
      width integer not null,
      height integer not null,
      widths integer[] not null,
      seen_by integer not null default 0,
      published_at timestamptz not null,
      deleted_at timestamptz,
      taken_down_at timestamptz,
      -- an operator took down this copy or this content, or it waits for an operator, since it looks like such content
      taken_down_as text check (taken_down_as in ('copy', 'content', 'waiting')),
      taken_down_reason text,
      check ((taken_down_at is null) = (taken_down_as is null)),
      check ((taken_down_as in ('copy', 'content')) = (taken_down_reason is not null))
    ) with (fillfactor = 80);
    create index stories_newest on stories (published_at desc, id desc) where deleted_at is null;
    create index stories_of_creator on stories (creator_id, published_at desc, id desc) where deleted_at is null;
    create index stories_published_by on stories (creator_id, published_at);
    create index stories_taken_down on stories (media_key) where taken_down_at is not null;

    -- Who saw a story, until its 24 hours end: each person counts once. Only the number stays.
    create table seen_stories (
      person_id uuid not null references people on delete cascade,
      story_id uuid not null references stories on delete cascade,
      ends_at timestamptz not null,
      primary key (person_id, story_id)
    );
    create index seen_stories_by_end on seen_stories (ends_at)`.execute(db);
}
