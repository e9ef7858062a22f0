import { type Kysely, sql } from 'kysely';

/** Changes of addresses, and the links that verify the new one and undo the change (docs/decisions/0048-change-of-address.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table email_changes (
      person_id uuid not null references people (id) on delete cascade,
      id uuid not null,
      email text not null,
      email_key text not null,
      old_email text not null,
      old_email_key text not null,
      created_at timestamptz not null,
      -- null while it waits for the proof of the new address
      changed_at timestamptz,
      -- until then the new address can be verified, and after that the change undone
      expires_at timestamptz not null,
      primary key (person_id, id)
    )`.execute(db);
  await sql`create index email_changes_from on email_changes (old_email_key)`.execute(db);
  await sql`create index email_changes_by_end on email_changes (expires_at)`.execute(db);

  await sql`alter table account_links drop constraint account_links_purpose_check`.execute(db);
  await sql`
    alter table account_links add constraint account_links_purpose_check
      check (purpose in ('reset', 'verify', 'change', 'undo'))`.execute(db);
}
