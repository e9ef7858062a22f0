import { type Kysely, sql } from 'kysely';

/** What each operator may do (`contract/roles.ts`). Who was an operator before, or is made one by the previous version, may do everything. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- counts only where people.role is 'operator'
    alter table people add column operator_role text not null default 'administrator'
      check (operator_role in ('moderator', 'payer', 'administrator'))`.execute(db);
}
