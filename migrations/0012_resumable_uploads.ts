import { type Kysely, sql } from 'kysely';

/** Uploads in progress: each is received in the inbox in chunks, under its key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table resumable_uploads (
      key text primary key,
      owner_id uuid not null references people on delete cascade,
      kind text not null check (kind in ('reel', 'thumbnail', 'post', 'story')),
      bytes bigint not null check (bytes > 0),
      -- the stored response after the last chunk: the file, or the refusal
      answer jsonb,
      created_at timestamptz not null,
      -- when the last chunk was received, or the upload was started
      touched_at timestamptz not null
    )`.execute(db);
  await sql`create index resumable_uploads_of_owner on resumable_uploads (owner_id)`.execute(db);
  await sql`create index resumable_uploads_by_age on resumable_uploads (touched_at)`.execute(db);
}
