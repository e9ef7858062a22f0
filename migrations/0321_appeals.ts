import { type Kysely, sql } from 'kysely';

/** Appeals of people against decisions: a case of a kind of its own, whose target is the decision. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table cases drop constraint cases_kind_check;
    alter table cases add constraint cases_kind_check
      check (kind in ('reel', 'post', 'story', 'comment', 'person', 'appeal'));

    alter table decisions
      -- set once: there is one appeal against a decision
      add column appealed_at timestamptz,
      -- null before the appeal, and if its case was deleted because of its age
      add column appeal_id uuid references cases on delete set null,
      add column answer text check (answer in ('upheld', 'reversed')),
      add column answer_reason text,
      add column answered_at timestamptz;
    create index if not exists decisions_of_appeal on decisions (appeal_id)`.execute(db);
}
