import { type Kysely, sql } from 'kysely';

/**
 * Notifications can be spread over a cluster, where pushes cannot refer to them: a push whose notification is gone is dropped when it is due. The
 * notifications of a deleted comment are found by an index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table pushes drop constraint if exists pushes_notification_id_fkey`.execute(db);
  await sql`drop index if exists pushes_of_notification`.execute(db);
  await sql`
    create index if not exists notifications_of_comment on notifications (fact_id)
    where kind in ('comment', 'mention')`.execute(db);
}
