import { type Kysely, sql } from 'kysely';

/** What one operator proposes and a second one approves: a suspension without an end, and views to be void. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table proposals (
      id uuid primary key,
      act text not null check (act in ('suspend', 'void')),
      person_id uuid not null references people on delete cascade,
      -- what the operator entered, as the call has it
      said jsonb not null,
      proposed_by uuid not null references people on delete cascade,
      proposed_at timestamptz not null,
      answer text check (answer in ('approved', 'declined')),
      -- an id and not a reference, as in the log
      answered_by uuid,
      check ((answer is null) = (answered_by is null))
    );
    create index proposals_open on proposals (proposed_at, id) where answer is null;
    create index proposals_of_person on proposals (person_id);
    create index proposals_by_proposed_by on proposals (proposed_by)`.execute(db);
}
