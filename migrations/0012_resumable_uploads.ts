import { type Kysely, sql } from 'kysely';

/** Files on their way: each arrives in the inbox piece by piece, under its key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table resumable_uploads (
      key text primary key,
      owner_id uuid not null references people on delete cascade,
      kind text not null check (kind in ('reel', 'thumbnail', 'post', 'story')),
      bytes bigint not null check (bytes > 0),
      -- what was answered when it had all arrived and was looked over: the file, or why it was refused
      answer jsonb,
      created_at timestamptz not null,
      -- when somebody last sent some of it, or began to
      touched_at timestamptz not null
    )`.execute(db);
  await sql`create index resumable_uploads_of_owner on resumable_uploads (owner_id)`.execute(db);
  await sql`create index resumable_uploads_by_age on resumable_uploads (touched_at)`.execute(db);
}
