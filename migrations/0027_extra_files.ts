import { type Kysely, sql } from 'kysely';

/** What is made of a published photo later: in which folder, and how large each file is. Null: nothing has been tried yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table posts add column extra_key text, add column extra_files jsonb`.execute(db);
  await sql`alter table stories add column extra_key text, add column extra_files jsonb`.execute(db);
  // The sweep asks whose a folder is; older photos are found by those that nothing has been tried with.
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
