import {
  type Expression,
  type Insertable,
  type Kysely,
  type Selectable,
  sql,
  type Transaction,
} from 'kysely';
import { limits } from '#contract/limits.ts';
import { type NotificationKind, notificationKinds } from '#contract/notifications.ts';
import { reelFiles, smallPhotoFile, thumbnailFile } from '#server/media/file-names.ts';
import type { Cursor } from '#server/platform/cursor.ts';
import { notBlocked } from '#server/platform/database/not-blocked.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/** Kinds whose fact is a comment. */
const ofComments: NotificationKind[] = ['comment', 'mention'];

/** Inserts notifications, except those that exist already. Returns the new ones. */
export async function insert(
  trx: Transaction<Tables>,
  rows: Insertable<Tables['notifications']>[],
): Promise<{ id: string; person_id: string }[]> {
  if (rows.length === 0) return [];
  return await trx
    .insertInto('notifications')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'person_id'])
    .execute();
}

/**
 * Those of them that are this person's, not from a suspended or blocked person, and unread. Those from the site count even if read: somebody with a
 * stolen token could mark them as read.
 */
export function findShown(db: Kysely<Tables>, personId: string, ids: readonly string[]) {
  return db
    .selectFrom('notifications')
    .leftJoin('people', 'people.id', 'notifications.sender_id')
    .select(['kind', 'sender_id', 'about_id', 'people.username'])
    .select((eb) =>
      eb.case().when('kind', 'in', ofComments).then(eb.ref('fact_id')).else(null).end().as('comment_id'),
    )
    .where('notifications.id', 'in', ids)
    .where('person_id', '=', personId)
    .where((row) => row.or([row('read_at', 'is', null), row('sender_id', 'is', null)]))
    .where('people.suspended_at', 'is', null)
    .where(notBlocked(personId, 'sender_id'))
    .execute();
}

/** Ids of followers, sorted, after one id. They cannot be deleted during this transaction. */
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

export async function findNewestAbout(
  db: Kysely<Tables>,
  personId: string,
  kind: NotificationKind,
): Promise<string | null> {
  const row = await db
    .selectFrom('notifications')
    .select('about_id')
    .where('person_id', '=', personId)
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.about_id ?? null;
}

export async function deleteAbout(trx: Transaction<Tables>, aboutId: string) {
  await trx.deleteFrom('notifications').where('about_id', '=', aboutId).execute();
}

export async function deleteOfComment(trx: Transaction<Tables>, commentId: string) {
  await trx
    .deleteFrom('notifications')
    .where('kind', 'in', ofComments)
    .where('fact_id', '=', commentId)
    .execute();
}

export type NotificationRow = Selectable<Tables['notifications']> /** Null: from the site. */ & {
  [Column in 'username' | 'picture_key']: Selectable<Tables['people']>[Column] | null;
} & {
  comment: string | null;
  comment_id: string | null;
  about: AboutRow | null;
};

/** The small picture of a reel, post or story, and the beginning of its caption. */
interface AboutRow {
  key: string;
  file: string;
  caption: string;
}

/**
 * Newest first, after the cursor, with the number of all unread ones; without those from suspended or blocked people. One query, since each query
 * waits for its own processor while the server is busy.
 */
export async function list(
  db: Kysely<Tables>,
  { personId, now }: { personId: string; now: Date },
  limit: number,
  after: Cursor | undefined,
) {
  let page = shownTo(db, personId)
    .selectAll('notifications')
    .select(['people.username', 'people.picture_key'])
    .orderBy('notifications.created_at', 'desc')
    .orderBy('notifications.id', 'desc')
    .limit(limit);
  if (after) {
    page = page.where(
      sql<boolean>`(notifications.created_at, notifications.id) < (${after.at}, ${after.id})`,
    );
  }
  const listed = await db
    .selectFrom(unreadOf(db, personId).as('counted'))
    .leftJoinLateral(page.as('page'), (join) => join.onTrue())
    .leftJoinLateral(
      (eb) => publicWork(db, eb.ref('page.about_id'), now).as('about'),
      (join) => join.onTrue(),
    )
    .leftJoin('reel_comments', (join) =>
      join.onRef('reel_comments.id', '=', 'page.fact_id').on('page.kind', 'in', ofComments),
    )
    .select(['counted.unread', 'reel_comments.text as comment', 'reel_comments.id as comment_id'])
    .select(sql<AboutRow | null>`to_jsonb(about)`.as('about'))
    .selectAll('page')
    .orderBy('page.created_at', 'desc')
    .orderBy('page.id', 'desc')
    .execute();
  // If the page is empty, the only row contains just the count.
  const rows = listed.filter((row): row is typeof row & NotificationRow => row.id !== null);
  return { rows, unread: listed[0]?.unread ?? 0 };
}

/** In a list the caption only says which work it is. */
const captionAtMost = 100;

/**
 * The reel, post or story with this id, as long as it is public. It is the receiver's or the sender's, so a block between the two has left
 * out the notification already.
 */
function publicWork(db: Kysely<Tables>, id: Expression<string | null>, now: Date) {
  const beginning = (column: 'caption' | 'status_text') =>
    sql<string>`left(${sql.ref(column)}, ${captionAtMost})`;
  const reels = db
    .selectFrom('reels')
    .select((eb) => [
      eb.fn.coalesce('cover_key', 'thumbnail_key', 'media_key').as('key'),
      sql<string>`case when cover_key is null and thumbnail_key is not null then ${thumbnailFile} else ${reelFiles.tile} end`.as(
        'file',
      ),
      beginning('caption').as('caption'),
    ])
    .where('id', '=', id)
    .where('state', '=', 'ready')
    .where('deleted_at', 'is', null)
    .where('taken_down_at', 'is', null);
  const posts = db
    .selectFrom('posts')
    .select(['media_key as key', sql<string>`${smallPhotoFile}::text`.as('file')])
    .select(beginning('caption').as('caption'))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('taken_down_at', 'is', null);
  const stories = db
    .selectFrom('stories')
    .select(['media_key as key', sql<string>`${smallPhotoFile}::text`.as('file')])
    .select(beginning('status_text').as('caption'))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('taken_down_at', 'is', null)
    .where(sql<boolean>`published_at > ${now}::timestamptz - ${`${limits.storyHours} hours`}::interval`);
  return reels.unionAll(posts).unionAll(stories);
}

export async function countUnread(db: Kysely<Tables>, personId: string): Promise<number> {
  return (await unreadOf(db, personId).executeTakeFirstOrThrow()).unread;
}

const unreadOf = (db: Kysely<Tables>, personId: string) =>
  shownTo(db, personId)
    .select((eb) => eb.fn.countAll<number>().as('unread'))
    .where('read_at', 'is', null);

const shownTo = (db: Kysely<Tables>, personId: string) =>
  db
    .selectFrom('notifications')
    .leftJoin('people', 'people.id', 'notifications.sender_id')
    .where('person_id', '=', personId)
    // While a site is upgraded, the next version writes kinds that are unknown here.
    .where('kind', 'in', [...notificationKinds])
    .where('people.suspended_at', 'is', null)
    .where(notBlocked(personId, 'notifications.sender_id'))
    // The reel may belong to a third person, between whom and the receiver there is a block.
    .where((row) =>
      row.or([
        row('kind', '<>', 'mention'),
        row.exists(
          row
            .selectFrom('reels')
            .select('reels.id')
            .whereRef('reels.id', '=', 'notifications.about_id')
            .where(notBlocked(personId, 'reels.creator_id')),
        ),
      ]),
    );

/** Marks all notifications as read, or those up to one of them. */
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
