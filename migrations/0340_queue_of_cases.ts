import { type Kysely, sql } from 'kysely';

/**
 * The queue of operators: undecided cases, without those that are merged into another one, and without those that only muted people have
 * reported. `cases_open` stays for the version before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table cases
      -- the case with which it is decided; null: it is decided by itself
      add column merged_into uuid references cases on delete set null,
      add column is_muted boolean not null default false;
    create index if not exists cases_by_merged_into on cases (merged_into) where merged_into is not null;

    create index if not exists cases_queue on cases (due_at, id, kind, language)
      where closed_at is null and merged_into is null and not is_muted;
    create index if not exists cases_muted on cases (due_at, id, kind, language)
      where closed_at is null and merged_into is null and is_muted;
    -- To count them by kind and language.
    create index if not exists cases_queue_by_kind on cases (kind, language, due_at)
      where closed_at is null and merged_into is null and not is_muted;
    create index if not exists cases_queue_by_language on cases (language, due_at)
      where closed_at is null and merged_into is null and not is_muted;

    -- Until when a person's reports are muted.
    alter table people add column reports_muted_until timestamptz`.execute(db);
}
