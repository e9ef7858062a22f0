import { type Kysely, sql } from 'kysely';

/** Shares, blocks and reports of the app, devices for push messages, and notifications about followed people. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table notifications drop constraint notifications_kind_check`.execute(db);
  await sql`
    alter table notifications add constraint notifications_kind_check check (kind in (
      'like_reel', 'like_post', 'comment', 'follow', 'new_reel', 'new_post', 'new_story'))`.execute(db);

  // The id that the writer's device gave to a comment: sent twice it is one comment.
  await sql`alter table reel_comments add column sent_as uuid`.execute(db);
  await sql`update reel_comments set sent_as = id`.execute(db);
  await sql`alter table reel_comments alter column sent_as set not null`.execute(db);
  await sql`create unique index reel_comments_sent on reel_comments (person_id, sent_as)`.execute(db);

  // A person's share of a reel counts once.
  await sql`
    create table reel_shares (
      reel_id uuid not null references reels on delete cascade,
      person_id uuid not null references people on delete cascade,
      shared_at timestamptz not null,
      primary key (reel_id, person_id)
    )`.execute(db);

  await sql`
    create table blocks (
      blocker_id uuid not null references people on delete cascade,
      blocked_id uuid not null references people on delete cascade,
      blocked_at timestamptz not null,
      primary key (blocker_id, blocked_id),
      check (blocker_id <> blocked_id)
    )`.execute(db);
  await sql`create index blocks_newest on blocks (blocker_id, blocked_at desc, blocked_id desc)`.execute(db);
  await sql`create index blocks_of_blocked on blocks (blocked_id)`.execute(db);

  // A report stays when its writer's account is deleted: operators still have to review its subject.
  await sql`
    create table reports (
      id uuid primary key,
      reporter_id uuid references people on delete set null,
      kind text not null check (kind in ('reel', 'post', 'story', 'comment', 'person')),
      target_id uuid not null,
      reason text not null,
      text text not null,
      created_at timestamptz not null,
      closed_at timestamptz,
      unique (reporter_id, kind, target_id)
    )`.execute(db);
  await sql`create index reports_open on reports (created_at desc, id desc) where closed_at is null`.execute(
    db,
  );

  // Where push messages are sent; a device belongs to one person at a time.
  await sql`
    create table devices (
      token text primary key,
      person_id uuid not null references people on delete cascade,
      platform text not null check (platform in ('android', 'ios')),
      registered_at timestamptz not null
    )`.execute(db);
  await sql`create index devices_of_person on devices (person_id)`.execute(db);
}
