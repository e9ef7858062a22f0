import { type Kysely, sql } from 'kysely';

/** Files that are made of a published photo later: their folder, and sizes. Null: not tried yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table posts add column extra_key text, add column extra_files jsonb`.execute(db);
  await sql`alter table stories add column extra_key text, add column extra_files jsonb`.execute(db);
  // The sweeper looks up the owner of a folder; older photos are found by those not tried yet.
  await sql`create index if not exists posts_extra_key on posts (extra_key) where extra_key is not null`.execute(
    db,
  );
  await sql`create index if not exists stories_extra_key on stories (extra_key) where extra_key is not null`.execute(
    db,
  );
  await sql`
    create index if not exists posts_without_extra on posts (id)
    where extra_files is null and deleted_at is null and taken_down_at is null`.execute(db);
  await sql`
    create index if not exists stories_without_extra on stories (id)
    where extra_files is null and deleted_at is null and taken_down_at is null`.execute(db);
}
