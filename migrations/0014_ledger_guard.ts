import { type Kysely, sql } from 'kysely';

/** What was paid stays as it was written: no step of the ledger is rewritten, and one payment pays one withdrawal. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function refuse_rewriting() returns trigger language plpgsql as $$
    begin
      raise exception '% is only ever added to', tg_table_name;
    end $$`.execute(db);
  // The embedded database's user is a superuser, whom no revoked right stops.
  await sql`
    create trigger ledger_append_only before update or delete or truncate on ledger_transactions
    for each statement execute function refuse_rewriting()`.execute(db);

  await sql`
    create unique index withdrawals_one_reference on withdrawals (reference) where state = 'completed'`.execute(
    db,
  );

  // Which withdrawals left the house: asked for every line of the list.
  await sql`
    create index audit_log_of_act on audit_log (target_id, acted_at) where act = 'withdrawal.export'`.execute(
    db,
  );
}
