import { type Kysely, sql } from 'kysely';

/** The source of an imported video: stored when it is fetched, shown on the reel made of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table imports (
      upload_key text primary key references uploads on delete cascade,
      person_id uuid not null references people on delete cascade,
      source_url text not null,
      title text not null,
      -- the rewrapped copy that is watched and saved until the upload is published or deleted
      copy_key text not null,
      thumbnail_key text not null,
      imported_at timestamptz not null
    )`.execute(db);
  await sql`create index imports_again on imports (person_id, source_url, imported_at desc)`.execute(db);
  await sql`create index imports_copies on imports (copy_key)`.execute(db);
  await sql`alter table reels add column source_url text not null default ''`.execute(db);
}
