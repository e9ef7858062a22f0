import { type Insertable, type Kysely, sql } from 'kysely';
import type { Cursor } from '../../platform/cursor.ts';
import type { Tables } from '../../platform/database/tables.ts';

export async function insert(db: Kysely<Tables>, row: Insertable<Tables['notifications']>) {
  await db
    .insertInto('notifications')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteAbout(db: Kysely<Tables>, aboutId: string) {
  await db.deleteFrom('notifications').where('about_id', '=', aboutId).execute();
}

export type NotificationRow = Awaited<ReturnType<typeof list>>[number];

/** Newest first, after the cursor; nothing from who is suspended. */
export function list(db: Kysely<Tables>, personId: string, limit: number, after: Cursor | undefined) {
  let query = db
    .selectFrom('notifications')
    .innerJoin('people', 'people.id', 'notifications.sender_id')
    .selectAll('notifications')
    .select(['people.username', 'people.picture_key'])
    .where('person_id', '=', personId)
    .where('people.suspended_at', 'is', null)
    .orderBy('notifications.created_at', 'desc')
    .orderBy('notifications.id', 'desc')
    .limit(limit);
  if (after) {
    query = query.where(
      sql<boolean>`(notifications.created_at, notifications.id) < (${after.at}, ${after.id})`,
    );
  }
  return query.execute();
}

export async function countUnread(db: Kysely<Tables>, personId: string): Promise<number> {
  const { unread } = await db
    .selectFrom('notifications')
    .innerJoin('people', 'people.id', 'notifications.sender_id')
    .select((eb) => eb.fn.countAll<number>().as('unread'))
    .where('person_id', '=', personId)
    .where('read_at', 'is', null)
    .where('people.suspended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return unread;
}

export async function markRead(db: Kysely<Tables>, personId: string, now: Date) {
  await db
    .updateTable('notifications')
    .set({ read_at: now })
    .where('person_id', '=', personId)
    .where('read_at', 'is', null)
    .execute();
}
