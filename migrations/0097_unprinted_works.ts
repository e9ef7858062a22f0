import { type Kysely, sql } from 'kysely';

/**
 * Works from before there were prints; each is removed from this list once it has one, or cannot have one
 * (docs/decisions/0070-copies-of-reels.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table unprinted_works (
      creator_id uuid not null,
      work_id uuid not null,
      kind text not null check (kind in ('reel', 'post', 'story')),
      primary key (creator_id, work_id)
    )`.execute(db);
  await sql`create index unprinted_works_newest on unprinted_works (work_id)`.execute(db);
  await sql`
    insert into unprinted_works (creator_id, work_id, kind)
    select creator_id, id, kind from (
      select creator_id, id, 'reel' as kind from reels where state = 'ready' and deleted_at is null
      union all select creator_id, id, 'post' from posts where deleted_at is null
      union all select creator_id, id, 'story' from stories where deleted_at is null
    ) work
    where not exists (select from prints where prints.creator_id = work.creator_id and work_id = id)`.execute(
    db,
  );
}
