import { type Kysely, sql } from 'kysely';

/** Notifications: one row for each fact, however often it is undone and repeated. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notifications (
      id uuid primary key,
      person_id uuid not null references people on delete cascade,
      kind text not null check (kind in ('like_reel', 'like_post', 'comment', 'follow')),
      sender_id uuid not null references people on delete cascade,
      -- the reel or post concerned; none for a follow
      about_id uuid,
      -- identifies the fact: the comment, else the content, else the sender
      fact_id uuid not null,
      created_at timestamptz not null,
      read_at timestamptz,
      unique (person_id, kind, sender_id, fact_id)
    )`.execute(db);
  await sql`create index notifications_newest on notifications (person_id, created_at desc, id desc)`.execute(
    db,
  );
  await sql`create index notifications_unread on notifications (person_id) where read_at is null`.execute(db);
  await sql`create index notifications_about on notifications (about_id) where about_id is not null`.execute(
    db,
  );
}
