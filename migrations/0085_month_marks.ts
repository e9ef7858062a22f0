import { type Kysely, sql } from 'kysely';

/** Signs of fraud in a creator's month, found each night (docs/decisions/0067-marks.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table month_marks (
      creator_id uuid not null,
      month text not null,
      mark text not null,
      -- evidence: found of out_of
      found integer not null check (found >= 0),
      out_of integer not null check (out_of > 0),
      found_at timestamptz not null,
      primary key (creator_id, month, mark)
    )`.execute(db);
}
