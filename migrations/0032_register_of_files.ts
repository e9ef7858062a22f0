import { type Kysely, sql } from 'kysely';

/** One row for each stored file or folder, whatever refers to it (docs/decisions/0039-register-of-files.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table stored_files (
      -- No reference: an owner may be a deleted account, or nobody (all zeros).
      owner_id uuid not null,
      key text not null,
      kind text not null
        check (kind in ('video', 'reel', 'photo', 'thumbnail', 'copy', 'captions', 'extra', 'unknown')),
      state text not null check (state in ('arriving', 'waiting', 'in_use', 'withheld', 'removed')),
      -- Sizes in bytes by name; null if a size is not known.
      files jsonb,
      bytes bigint not null default 0,
      -- When the state changed.
      touched_at timestamptz not null,
      primary key (owner_id, key)
    )`.execute(db);
  await sql`create index stored_files_by_key on stored_files (key)`.execute(db);
  // Few rows: files that the sweeper removes, and withheld ones.
  await sql`create index stored_files_not_in_use on stored_files (state, touched_at) where state <> 'in_use'`.execute(
    db,
  );
}
