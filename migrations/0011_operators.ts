import { type Kysely, sql } from 'kysely';

/** What operators do: taken-down content, and an append-only log of their actions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Taken-down content is shown only to its owner, with the reason; restoring sets both to null.
  for (const table of ['reels', 'posts', 'stories']) {
    await sql`
      alter table ${sql.table(table)}
        add column taken_down_at timestamptz,
        add column taken_down_reason text,
        add check ((taken_down_at is null) = (taken_down_reason is null))`.execute(db);
    // Their files are not served: few rows, queried often.
    await sql`
      create index ${sql.ref(`${table}_taken_down`)} on ${sql.table(table)} (media_key)
      where taken_down_at is not null`.execute(db);
  }

  await sql`create index reports_newest on reports (created_at desc, id desc)`.execute(db);
  await sql`create index reports_of_target on reports (kind, target_id) where closed_at is null`.execute(db);

  // Stays when the accounts and content are deleted: ids, not references.
  await sql`
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
    )`.execute(db);
  await sql`create index audit_log_newest on audit_log (acted_at desc, id desc)`.execute(db);
  await sql`create index audit_log_of_target on audit_log (target_kind, target_id)`.execute(db);
  // Append-only for everybody, including the table's owner and superusers.
  await sql`
    create function refuse_rewriting() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit log is only ever added to';
    end $$`.execute(db);
  await sql`
    create trigger audit_log_append_only before update or delete or truncate on audit_log
    for each statement execute function refuse_rewriting()`.execute(db);
}
