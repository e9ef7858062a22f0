import { type Kysely, sql } from 'kysely';

/** Indexes by which operators read their log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index if not exists audit_log_by_operator on audit_log (operator, acted_at desc, id desc);
    create index if not exists audit_log_by_act on audit_log (act, acted_at desc, id desc);
    create index if not exists audit_log_about on audit_log (target_id, acted_at desc, id desc)`.execute(db);
}
