import { type Kysely, sql } from 'kysely';

/** What operators decided against people, by which rule of the site, and what the reporters of a case read of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- 'none', or the rule by which something was done; null before the decision, and for cases that were decided before this column
    alter table cases add column outcome text;

    create table decisions (
      id uuid primary key,
      -- random: whoever has it reads the decision, since a suspended person cannot log in
      key uuid not null unique,
      -- none if nobody had reported it, or if the case was deleted because of its age
      case_id uuid references cases on delete set null,
      kind text not null check (kind in ('reel', 'post', 'story', 'comment', 'person')),
      target_id uuid not null,
      person_id uuid not null references people on delete cascade,
      -- what it is about, as it was then
      evidence jsonb not null,
      rule text not null,
      act text not null check (act in ('copy', 'content', 'suspend')),
      -- when a suspension ends by itself
      until timestamptz,
      reason text not null,
      -- an id and not a reference, as in the log; none for a command on the server
      decided_by uuid,
      decided_at timestamptz not null,
      -- when it was undone, or the suspension ended
      ended_at timestamptz
    );
    create index decisions_of_person on decisions (person_id);
    create index decisions_of_case on decisions (case_id);
    create index decisions_in_force on decisions (target_id) where ended_at is null;
    create index decisions_until on decisions (until) where ended_at is null and until is not null;
    create index decisions_by_age on decisions (decided_at)`.execute(db);
}
