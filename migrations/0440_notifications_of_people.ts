import { type Kysely, sql } from 'kysely';

/**
 * On a cluster, notifications are spread over the nodes and pushes stay on the coordinator, so pushes cannot have a foreign key to them. A push that
 * is due and whose notification was deleted is not sent. The index finds the notifications of a deleted comment.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table pushes drop constraint if exists pushes_notification_id_fkey`.execute(db);
  await sql`drop index if exists pushes_of_notification`.execute(db);
  await sql`
    create index if not exists notifications_of_comment on notifications (fact_id)
    where kind in ('comment', 'mention')`.execute(db);
}
