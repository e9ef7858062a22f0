import { type Kysely, sql } from 'kysely';

/** What the last audit of the ledger found, and the index by which entries of one step are listed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_differences (
      id uuid primary key,
      -- month, reel, viewer, activity, withdrawal or account
      what text not null,
      -- the id of that; of a ledger account, its name
      about text not null,
      -- YYYY-MM, if it concerns a month
      month text,
      figure text not null,
      recorded text not null,
      derived text not null,
      -- by the first audit that found it
      found_at timestamptz not null,
      constraint audit_differences_one unique nulls not distinct (what, about, month, figure)
    );
    create index audit_differences_newest on audit_differences (found_at desc, id desc);
    create index if not exists ledger_transactions_by_step on ledger_transactions (step, posted_at desc, id desc)`.execute(
    db,
  );
}
