import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import type { Cursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';

export async function insert(trx: Transaction<Tables>, row: Insertable<Tables['notifications']>) {
  await trx
    .insertInto('notifications')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Inserts those that are not told yet. */
export async function insertAll(trx: Transaction<Tables>, rows: Insertable<Tables['notifications']>[]) {
  if (rows.length === 0) return;
  await trx
    .insertInto('notifications')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Some of a person's followers, by id, after one; each stays for this transaction. */
export async function listFollowerIds(
  db: Kysely<Tables>,
  personId: string,
  limit: number,
  after: string | undefined,
): Promise<string[]> {
  let query = db
    .selectFrom('follows')
    .innerJoin('people', 'people.id', 'follows.follower_id')
    .select('people.id')
    .where('followee_id', '=', personId)
    .orderBy('people.id')
    .limit(limit)
    .forKeyShare('people');
  if (after) query = query.where('people.id', '>', after);
  return (await query.execute()).map(({ id }) => id);
}

export async function deleteAbout(trx: Transaction<Tables>, aboutId: string) {
  await trx.deleteFrom('notifications').where('about_id', '=', aboutId).execute();
}

export async function deleteFact(trx: Transaction<Tables>, factId: string) {
  await trx.deleteFrom('notifications').where('kind', '=', 'comment').where('fact_id', '=', factId).execute();
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

/** Marks all, or those not newer than one of them, as read. */
export async function markRead(db: Kysely<Tables>, personId: string, upTo: string | undefined, now: Date) {
  let query = db
    .updateTable('notifications')
    .set({ read_at: now })
    .where('person_id', '=', personId)
    .where('read_at', 'is', null);
  if (upTo) {
    query = query.where(
      sql<boolean>`(created_at, id) <= (select created_at, id from notifications where id = ${upTo} and person_id = ${personId})`,
    );
  }
  await query.execute();
}
