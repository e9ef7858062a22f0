import { type Kysely, sql } from 'kysely';

/**
 * Reels, and what people do with them. Rows from which earnings are derived stay when an account is deleted, under an anonymous id, so they
 * have no foreign key to people (docs/decisions/0008-account-deletion.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reels (
      id uuid primary key,
      creator_id uuid not null,
      media_key text not null unique,
      thumbnail_key text,
      -- the folder with the pictures of the frame that its owner chose after the publication, and the second of that frame
      cover_key text,
      cover_second double precision,
      caption text not null,
      credit text not null,
      source_url text not null default '',
      categories text[] not null,
      state text not null check (state in ('processing', 'ready', 'failed')),
      -- of its processing, in percent; null if unknown
      progress smallint,
      failure text,
      failure_reason jsonb,
      sha256 bytea not null,
      original_sha256 bytea,
      duplicate boolean not null default false,
      -- why its publication pays nothing (docs/decisions/0055-what-a-month-pays.md)
      unpaid text check (unpaid in ('too_short', 'still')),
      -- whether it is published without sound, since no sound track of its file could be decoded: its owner is told
      sound_lost boolean not null default false,
      placeholder text not null default '',
      width integer not null default 0,
      height integer not null default 0,
      seconds double precision not null default 0,
      -- sizes, bit rates and file names
      renditions jsonb not null default '[]',
      views bigint not null default 0,
      like_count integer not null default 0 check (like_count >= 0),
      comment_count integer not null default 0 check (comment_count >= 0),
      share_count integer not null default 0,
      uploaded_at timestamptz not null,
      published_at timestamptz,
      -- when its owner last changed its words, categories or cover
      edited_at timestamptz,
      deleted_at timestamptz,
      -- then it is shown only to its owner
      taken_down_at timestamptz,
      -- an operator took down this copy or this content, or it waits for an operator, since it looks like such content
      taken_down_as text check (taken_down_as in ('copy', 'content', 'waiting')),
      taken_down_reason text,
      check ((cover_key is null) = (cover_second is null)),
      check ((taken_down_at is null) = (taken_down_as is null)),
      check ((taken_down_as in ('copy', 'content')) = (taken_down_reason is not null))
    ) with (fillfactor = 80);
    create index reels_feed on reels (published_at desc, id desc) where state = 'ready' and deleted_at is null;
    create index reels_of_creator on reels (creator_id, uploaded_at desc, id desc) where deleted_at is null;
    -- A month's reels, including deleted ones.
    create index reels_published_by on reels (creator_id, published_at);
    -- The newest public ones of each person whom somebody follows.
    create index reels_public_by on reels (creator_id, published_at desc, id desc)
      where state = 'ready' and deleted_at is null and taken_down_at is null;
    -- Their files are not served: few rows, queried often.
    create index reels_taken_down on reels (media_key) where taken_down_at is not null;
    -- What an operator looks after: few rows.
    create index reels_failed on reels (uploaded_at) where state = 'failed' and deleted_at is null;

    create table category_counts (
      category text primary key,
      reels integer not null check (reels >= 0)
    ) with (fillfactor = 80);

    -- One file for each language.
    create table reel_captions (
      reel_id uuid not null references reels on delete cascade,
      -- a canonical BCP 47 tag
      language text not null,
      key text not null unique,
      cues integer not null check (cues > 0),
      -- the words in them, for the search
      words text[] not null default '{}',
      set_at timestamptz not null,
      primary key (reel_id, language)
    );

    create table reel_likes (
      reel_id uuid not null references reels on delete cascade,
      person_id uuid not null references people on delete cascade,
      liked_at timestamptz not null,
      primary key (reel_id, person_id)
    );
    create index reel_likes_newest on reel_likes (reel_id, liked_at desc);
    create index reel_likes_by_person_id on reel_likes (person_id);

    create table reel_comments (
      id uuid primary key,
      reel_id uuid not null references reels on delete cascade,
      person_id uuid not null references people on delete cascade,
      text text not null,
      -- the id that the writer's device gave to it: sent twice it is one comment
      sent_as uuid not null,
      created_at timestamptz not null
    );
    create index reel_comments_newest on reel_comments (reel_id, created_at desc);
    create index reel_comments_by_person_id on reel_comments (person_id);
    create unique index reel_comments_sent on reel_comments (person_id, sent_as);

    -- A person's share of a reel counts once.
    create table reel_shares (
      reel_id uuid not null references reels on delete cascade,
      person_id uuid not null references people on delete cascade,
      shared_at timestamptz not null,
      primary key (reel_id, person_id)
    )`.execute(db);
}
