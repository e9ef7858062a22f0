import { type Kysely, sql } from 'kysely';

/** Files that arrive, and the register of all stored files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Uploads in progress: each is received in the inbox in chunks, under its key.
    create table resumable_uploads (
      key text primary key,
      owner_id uuid not null references people on delete cascade,
      kind text not null check (kind in ('reel', 'thumbnail', 'post', 'story')),
      bytes bigint not null check (bytes > 0),
      -- whether it began before its length was known: bytes is then the maximum of its kind
      deferred boolean not null default false,
      -- of a video that was compressed before the upload, as its sender claims
      original_sha256 bytea,
      -- the stored response after the last chunk: the file, or the refusal
      answer jsonb,
      created_at timestamptz not null,
      -- when the last chunk was received, or the upload was started
      touched_at timestamptz not null
    );
    create index resumable_uploads_of_owner on resumable_uploads (owner_id);
    create index resumable_uploads_by_age on resumable_uploads (touched_at);

    -- A file that arrived and was checked; it stays in the inbox until something is published from it.
    create table uploads (
      key text primary key,
      owner_id uuid not null references people on delete cascade,
      kind text not null check (kind in ('video', 'photo', 'thumbnail')),
      bytes bigint not null,
      sha256 bytea not null,
      original_sha256 bytea,
      -- files made of a photo at once: size, widths and placeholder
      facts jsonb,
      -- sizes in bytes by name, for the audit of stored files
      files jsonb,
      -- of a photo, until it is published
      print bytea,
      created_at timestamptz not null,
      used_at timestamptz
    );
    create index uploads_by_owner_id on uploads (owner_id);
    create index uploads_unused on uploads (created_at) where used_at is null;
    -- A person's unpublished uploads are counted before each of their uploads.
    create index uploads_unused_of_owner on uploads (owner_id) where used_at is null;

    -- The source of an imported video: stored when it is fetched, shown on the reel made of it.
    create table imports (
      upload_key text primary key references uploads on delete cascade,
      person_id uuid not null references people on delete cascade,
      source_url text not null,
      title text not null,
      -- the rewrapped copy that is watched and saved until the upload is published or deleted
      copy_key text not null,
      thumbnail_key text not null,
      imported_at timestamptz not null
    );
    create index imports_again on imports (person_id, source_url, imported_at desc);
    create index imports_copies on imports (copy_key);

    -- One row for each stored file or folder, whatever refers to it (docs/decisions/0039-register-of-files.md).
    create table stored_files (
      -- no reference: an owner may be a deleted account, or nobody (all zeros)
      owner_id uuid not null,
      key text not null,
      kind text not null
        check (kind in ('video', 'reel', 'photo', 'thumbnail', 'copy', 'captions', 'extra', 'cover', 'unknown')),
      state text not null check (state in ('arriving', 'waiting', 'in_use', 'withheld', 'removed')),
      -- sizes in bytes by name; null if a size is not known
      files jsonb,
      bytes bigint not null default 0,
      -- when the state changed
      touched_at timestamptz not null,
      primary key (owner_id, key)
    );
    create index stored_files_by_key on stored_files (key);
    -- Few rows: files that the sweeper removes, and withheld ones.
    create index stored_files_not_in_use on stored_files (state, touched_at) where state <> 'in_use'`.execute(
    db,
  );
}
