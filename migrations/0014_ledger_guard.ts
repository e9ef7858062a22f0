import { type Kysely, sql } from 'kysely';

/** The ledger is append-only, and one payment pays one withdrawal. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function refuse_rewriting() returns trigger language plpgsql as $$
    begin
      raise exception '% is only ever added to', tg_table_name;
    end $$`.execute(db);
  // The user of the embedded database is a superuser, to whom revoked privileges do not apply.
  await sql`
    create trigger ledger_append_only before update or delete or truncate on ledger_transactions
    for each statement execute function refuse_rewriting()`.execute(db);

  await sql`
    create unique index withdrawals_one_reference on withdrawals (reference) where state = 'completed'`.execute(
    db,
  );

  // Which withdrawals were exported: queried for every row of the list.
  await sql`
    create index audit_log_of_act on audit_log (target_id, acted_at) where act = 'withdrawal.export'`.execute(
    db,
  );
}
