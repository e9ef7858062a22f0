import { type Kysely, sql } from 'kysely';

/** Messages and reports to operators, the cases that these make, and the log of operators' actions. The rows stay when accounts and content are deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Messages of visitors.
    create table messages (
      id uuid primary key,
      kind text not null check (kind in ('contact', 'feedback')),
      person_id uuid references people on delete set null,
      name text not null,
      email text not null,
      phone text not null,
      text text not null,
      created_at timestamptz not null
    );
    create index messages_newest on messages (kind, created_at desc, id desc);
    create index messages_by_person_id on messages (person_id);
    -- To find the same text sent twice by a double click.
    create index messages_same on messages (md5(text), created_at);

    -- What operators decide: all reports of one thing until that.
    create table cases (
      -- that of its first report
      id uuid primary key,
      kind text not null check (kind in ('reel', 'post', 'story', 'comment', 'person')),
      target_id uuid not null,
      -- by the letters of what was reported
      language text not null check (language in ('en', 'hi', 'other')),
      -- what was reported, as it was then
      evidence jsonb not null,
      reasons text[] not null,
      report_count integer not null,
      opened_at timestamptz not null,
      -- the earliest deadline of its reports
      due_at timestamptz not null,
      -- when an operator has begun to work on it
      taken_up_at timestamptz,
      -- who works on it alone, and until when
      claimed_by uuid references people on delete set null,
      claimed_until timestamptz,
      closed_at timestamptz,
      -- the operator's name, as in the log
      closed_by text,
      check ((closed_at is null) = (closed_by is null))
    );
    create unique index cases_one_open on cases (kind, target_id) where closed_at is null;
    -- Also without a scan of the table for one kind or language.
    create index cases_open on cases (due_at, id, kind, language) where closed_at is null;
    create index cases_closed on cases (closed_at desc, id desc, kind, language) where closed_at is not null;
    create index cases_by_claimed_by on cases (claimed_by);
    create index cases_by_age on cases (opened_at);

    create table reports (
      id uuid primary key,
      case_id uuid not null references cases on delete cascade,
      -- random, of 128 bits: whoever has it learns how far the report is
      number text not null unique,
      -- none for a visitor
      reporter_id uuid references people on delete set null,
      reason text not null,
      text text not null,
      -- how a visitor wants to be answered; empty: not at all
      contact text not null,
      created_at timestamptz not null
    );
    -- Reports of the same thing by the same person are one until it is decided.
    create unique index reports_one_open on reports (case_id, reporter_id);
    create index reports_of_case on reports (case_id, created_at desc, id desc);
    create index reports_by_reporter_id on reports (reporter_id);
    create index reports_by_age on reports (created_at);

    -- What works said before their owners edited them. They stay for operators when the work is deleted.
    create table work_versions (
      id uuid primary key,
      kind text not null check (kind in ('reel', 'post')),
      work_id uuid not null,
      creator_id uuid not null references people on delete cascade,
      words jsonb not null,
      replaced_at timestamptz not null
    );
    create index work_versions_newest on work_versions (work_id, replaced_at desc, id desc);
    create index work_versions_by_creator_id on work_versions (creator_id);
    create index work_versions_by_end on work_versions (replaced_at);

    -- A log of their actions: ids, not references.
    create table audit_log (
      id uuid primary key,
      -- none for a command on the server
      operator_id uuid,
      operator text not null,
      act text not null,
      target_kind text not null,
      target_id text not null,
      details jsonb not null,
      acted_at timestamptz not null
    );
    create index audit_log_newest on audit_log (acted_at desc, id desc);
    create index audit_log_of_target on audit_log (target_kind, target_id);
    -- Which withdrawals were exported: queried for every row of the list.
    create index audit_log_of_act on audit_log (target_id, acted_at) where act = 'withdrawal.export';

    create trigger audit_log_append_only before update or delete or truncate on audit_log
      for each statement execute function refuse_rewriting()`.execute(db);
}
