import { type Kysely, sql } from 'kysely';
import { StartupError } from '#server/platform/startup-error.ts';

/** Accounts, follows and blocks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTrigrams(db);
  await sql`
    create table people (
      id uuid primary key,
      name text not null,
      username text not null,
      username_key text not null unique,
      -- forms by which names are searched, and look-alikes of usernames found (docs/decisions/0049-new-passwords-and-names.md)
      name_key text not null,
      look_key text not null,
      email text not null,
      email_key text not null unique,
      email_verified_at timestamptz,
      -- null: an account of an issuer needs no password
      password_hash text,
      -- when the password was last set by a link
      password_reset_at timestamptz,
      picture_key text,
      language text,
      role text not null default 'person' check (role in ('person', 'operator')),
      suspended_at timestamptz,
      follower_count integer not null default 0 check (follower_count >= 0),
      following_count integer not null default 0 check (following_count >= 0),
      reel_count integer not null default 0 check (reel_count >= 0),
      post_count integer not null default 0 check (post_count >= 0),
      created_at timestamptz not null
    ) with (fillfactor = 80);
    create index people_newest on people (created_at desc, id desc);
    -- Exact matches, newest first; and prefixes of name and username.
    create index people_name on people (name_key text_pattern_ops, created_at desc, id desc);
    create index people_username on people (username_key text_pattern_ops);
    create index people_look on people (look_key);
    -- Queried every second by each process that serves files.
    create index people_suspended on people (id) where suspended_at is not null;

    -- Any part of name or username.
    create index people_search on people using gin ((name_key || ' ' || username_key) gin_trgm_ops);

    create table follows (
      follower_id uuid not null references people on delete cascade,
      followee_id uuid not null references people on delete cascade,
      followed_at timestamptz not null,
      primary key (follower_id, followee_id),
      check (follower_id <> followee_id)
    );
    create index follows_newest_followers on follows (followee_id, followed_at desc);
    create index follows_newest_following on follows (follower_id, followed_at desc);

    create table blocks (
      blocker_id uuid not null references people on delete cascade,
      blocked_id uuid not null references people on delete cascade,
      blocked_at timestamptz not null,
      primary key (blocker_id, blocked_id),
      check (blocker_id <> blocked_id)
    );
    create index blocks_newest on blocks (blocker_id, blocked_at desc, blocked_id desc);
    create index blocks_of_blocked on blocks (blocked_id)`.execute(db);
}

/** The extension is part of nearly every installation of PostgreSQL, and the owner of a database may create it. */
async function createTrigrams(db: Kysely<unknown>): Promise<void> {
  try {
    await sql`create extension if not exists pg_trgm`.execute(db);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(
      `The search needs the extension pg_trgm of PostgreSQL, which cannot be created (${reason}). Ask an administrator of the database to run \`create extension pg_trgm\` in it.`,
    );
  }
}
