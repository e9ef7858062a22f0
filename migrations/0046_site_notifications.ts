import { type Kysely, sql } from 'kysely';

/**
 * Notifications of the site have no sender. The previous version joins the sender, so it lists none of these, whose kinds it does not know.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table notifications alter column sender_id drop not null`.execute(db);
  await sql`
    alter table notifications drop constraint notifications_kind_check, add constraint notifications_kind_check check (kind in (
      'like_reel', 'like_post', 'comment', 'follow', 'new_reel', 'new_post', 'new_story',
      'new_device', 'google_linked', 'google_unlinked'))`.execute(db);
}
