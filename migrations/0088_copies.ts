import { type Kysely, sql } from 'kysely';

/** What pictures are recognized by, and what was found to be a copy of an earlier work (docs/decisions/0065-copies.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table uploads add column print bytea`.execute(db);
  await sql`
    create table prints (
      creator_id uuid not null,
      work_id uuid not null,
      kind text not null check (kind in ('reel', 'post', 'story')),
      -- 1, 2, 3, … in the order in which they were published, and committed
      number bigint not null unique,
      print bytea not null,
      -- when its owner deleted the work
      deleted_at timestamptz,
      primary key (creator_id, work_id, number)
    )`.execute(db);
  await sql`create index prints_deleted on prints (deleted_at) where deleted_at is not null`.execute(db);
  await sql`
    create table print_keys (
      key bigint not null,
      number bigint not null,
      primary key (key, number)
    )`.execute(db);
  await sql`
    create table copies (
      creator_id uuid not null,
      work_id uuid not null,
      kind text not null check (kind in ('reel', 'post', 'story')),
      -- the earlier work; null where only its hash is known
      original_creator_id uuid,
      original_id uuid,
      original_kind text check (original_kind in ('reel', 'post', 'story')),
      found_at timestamptz not null,
      -- when a person was asked for: by its creator, or because the earlier work was taken down
      asked_at timestamptz,
      words text not null default '',
      decided_at timestamptz,
      decided_by uuid,
      verdict text check (verdict in ('copy', 'own')),
      reason text,
      primary key (creator_id, work_id),
      check ((decided_at is null) = (verdict is null))
    )`.execute(db);
  await sql`create index copies_asked on copies (asked_at, work_id) where asked_at is not null`.execute(db);
  // Since when a work counts that was taken for a copy, and is none: it earns from then on, and past months do not change.
  for (const table of ['reels', 'posts', 'stories'])
    await sql`alter table ${sql.table(table)} add column counts_from timestamptz`.execute(db);
}
