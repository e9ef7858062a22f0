import { type Kysely, sql } from 'kysely';

/** By what works are recognized, and which works are copies of earlier ones (docs/copies.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table prints (
      work_id uuid primary key,
      creator_id uuid not null,
      kind text not null check (kind in ('reel', 'post', 'story')),
      sha256 bytea not null,
      -- of the file from which it was compressed, as its creator claims
      original_sha256 bytea,
      -- null: none could be made, or its account is deleted
      print bytea,
      -- whose works are compared with it; 'banned': everybody's, and they wait for an operator. Null: it is a copy
      compared text check (compared in ('everybody', 'creator', 'banned')),
      -- 1, 2, 3, … in the order in which works began to be compared with it
      number bigint unique,
      check ((compared is null) = (number is null))
    );
    create index prints_of_creator on prints (creator_id);
    create index prints_bytes on prints (sha256) where compared is not null;
    create index prints_claimed on prints (original_sha256) where compared is not null and original_sha256 is not null;

    -- Only of works that are compared.
    create table print_keys (
      key bigint not null,
      number bigint not null,
      primary key (key, number)
    );

    -- Of what a work is a copy, and what a person decided about that.
    create table copies (
      work_id uuid primary key,
      creator_id uuid not null,
      kind text not null check (kind in ('reel', 'post', 'story')),
      original_id uuid not null,
      original_kind text not null check (original_kind in ('reel', 'post', 'story')),
      found_at timestamptz not null,
      -- when a person was asked to look: by its creator, or because it waits
      asked_at timestamptz,
      words text not null default '',
      decided_at timestamptz,
      -- null also for a command on the server
      decided_by uuid,
      verdict text check (verdict in ('copy', 'own')),
      reason text,
      check ((decided_at is null) = (verdict is null))
    );
    create index copies_of_creator on copies (creator_id);
    create index copies_of_original on copies (original_id);
    create index copies_asked on copies (asked_at, work_id) where asked_at is not null;
    create index copies_undecided on copies (asked_at) where asked_at is not null and decided_at is null`.execute(
    db,
  );
}
