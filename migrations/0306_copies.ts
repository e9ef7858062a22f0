import { type Kysely, sql } from 'kysely';

/** Prints of works, and works that were found to be copies of earlier ones (docs/decisions/0065-copies.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table prints (
      creator_id uuid not null,
      work_id uuid not null,
      kind text not null check (kind in ('reel', 'post', 'story')),
      -- 1, 2, 3, … in the order of publication and commit
      number bigint not null unique,
      print bytea not null,
      -- when its owner deleted the work
      deleted_at timestamptz,
      primary key (creator_id, work_id, number)
    );
    create index prints_deleted on prints (deleted_at) where deleted_at is not null;

    create table print_keys (
      key bigint not null,
      number bigint not null,
      primary key (key, number)
    );

    create table copies (
      creator_id uuid not null,
      work_id uuid not null,
      kind text not null check (kind in ('reel', 'post', 'story')),
      -- the earlier work; null if only its hash is known
      original_creator_id uuid,
      original_id uuid,
      original_kind text check (original_kind in ('reel', 'post', 'story')),
      found_at timestamptz not null,
      -- when a review was requested: by its creator, or because the earlier work was taken down
      asked_at timestamptz,
      words text not null default '',
      decided_at timestamptz,
      decided_by uuid,
      verdict text check (verdict in ('copy', 'own')),
      reason text,
      primary key (creator_id, work_id),
      check ((decided_at is null) = (verdict is null))
    );
    create index copies_asked on copies (asked_at, work_id) where asked_at is not null`.execute(db);
}
