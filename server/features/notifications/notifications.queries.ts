import {
  type Insertable,
  type Kysely,
  type RawBuilder,
  type Selectable,
  sql,
  type Transaction,
} from 'kysely';
import { limits } from '#contract/limits.ts';
import { type NotificationKind, notificationKinds } from '#contract/notifications.ts';
import { reelFiles, smallPhotoFile, thumbnailFile } from '#server/media/file-names.ts';
import type { Cursor } from '#server/platform/cursor.ts';
import { fillPage } from '#server/platform/database/fill-page.ts';
import { notBlocked } from '#server/platform/database/not-blocked.ts';
import { keepTablesInPlace } from '#server/platform/database/places.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/** Kinds whose fact is a comment. */
const ofComments: NotificationKind[] = ['comment', 'mention'];

/**
 * Inserts notifications, except those that exist already, and those by or to people who do not exist. Returns the new ones. These people
 * cannot be deleted during this transaction, also on a cluster, where no foreign key leads to them.
 */
export async function insert(
  trx: Transaction<Tables>,
  rows: readonly Insertable<Tables['notifications']>[],
): Promise<{ id: string; person_id: string }[]> {
  await keepTablesInPlace(trx);
  const people = await lockPeople(
    trx,
    rows.flatMap(({ person_id, sender_id }) => (sender_id ? [person_id, sender_id] : [person_id])),
  );
  const values = rows.filter(
    ({ person_id, sender_id }) => people.has(person_id) && (!sender_id || people.has(sender_id)),
  );
  if (values.length === 0) return [];
  return await trx
    .insertInto('notifications')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'person_id'])
    .execute();
}

async function lockPeople(trx: Transaction<Tables>, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from people where id = any(${[...new Set(ids)]}::uuid[]) order by id for key share`.execute(
    trx,
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Those of them that are this person's, not from a suspended or blocked person, and unread. Those from the site count even if read: somebody with a
 * stolen token could mark them as read.
 */
export async function findShown(db: Kysely<Tables>, personId: string, ids: readonly string[]) {
  type Shown = Pick<NotificationRow, 'kind' | 'sender_id' | 'about_id' | 'username'> & {
    comment_id: string | null;
  };
  const { rows } = await sql<Shown>`
    with own as materialized (
      select kind, sender_id, about_id, fact_id from notifications
      where person_id = ${personId} and id = any(${ids}::uuid[]) and (read_at is null or sender_id is null))
    select kind, sender_id, about_id, username, case when kind = any(${ofComments}::text[]) then fact_id end as comment_id
    from (${shownOf('own', personId)}) shown`.execute(db);
  return rows;
}

/** Ids of followers, sorted, after one id. */
export async function listFollowerIds(
  db: Kysely<Tables>,
  personId: string,
  limit: number,
  after: string | undefined,
): Promise<string[]> {
  let query = db
    .selectFrom('follows')
    .select('follower_id')
    .where('followee_id', '=', personId)
    .orderBy('follower_id')
    .limit(limit);
  if (after) query = query.where('follower_id', '>', after);
  return (await query.execute()).map(({ follower_id }) => follower_id);
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
  await keepTablesInPlace(trx);
  await trx.deleteFrom('notifications').where('about_id', '=', aboutId).execute();
}

/** The few people who heard of a comment are found first, so that only their nodes of a cluster are locked. */
export async function deleteOfComment(trx: Transaction<Tables>, commentId: string) {
  await keepTablesInPlace(trx);
  const heard = await trx
    .selectFrom('notifications')
    .select(['id', 'person_id'])
    .where('kind', 'in', ofComments)
    .where('fact_id', '=', commentId)
    .orderBy('person_id')
    .execute();
  for (const { id, person_id } of heard)
    await trx.deleteFrom('notifications').where('id', '=', id).where('person_id', '=', person_id).execute();
}

/** Deletes those by and to a person. */
export async function deleteOfPerson(trx: Transaction<Tables>, personId: string) {
  await keepTablesInPlace(trx);
  for (const column of ['person_id', 'sender_id'] as const)
    await trx.deleteFrom('notifications').where(column, '=', personId).execute();
}

export type NotificationRow = Selectable<Tables['notifications']> /** Null: from the site. */ & {
  [Column in 'username' | 'picture_key']: Selectable<Tables['people']>[Column] | null;
} & {
  /** The text of the comment that it is about, unless that is deleted. */
  comment: string | null;
  about: AboutRow | null;
};

/** The small picture of a reel, post or story, and the beginning of its caption. */
interface AboutRow {
  key: string;
  file: string;
  caption: string;
}

interface Whose {
  personId: string;
  now: Date;
}

/** Newest first, after the cursor, with the number of all unread ones; without those from suspended or blocked people. */
export async function list(
  db: Kysely<Tables>,
  whose: Whose,
  limit: number,
  after: Cursor | undefined,
): Promise<{ rows: NotificationRow[]; unread: number }> {
  return await fillPage(limit, (newest) => listAmong(db, whose, { limit, newest }, after));
}

/**
 * The page from so many of the newest, and how many of these there are. One query, since each query waits for its own processor while the server is
 * busy. The person's own rows come first, by themselves: on a cluster they are on one node, and all else is elsewhere.
 */
async function listAmong(
  db: Kysely<Tables>,
  { personId, now }: Whose,
  { limit, newest }: { limit: number; newest: number },
  after: Cursor | undefined,
) {
  const afterCursor = after ? sql`and (created_at, id) < (${after.at}, ${after.id})` : sql``;
  const { rows: listed } = await sql<(NotificationRow | { id: null }) & { unread: number; read: number }>`
    with newest as materialized (
      select * from notifications where ${ofKnownKind(personId)} ${afterCursor}
      order by created_at desc, id desc limit ${newest}),
    unread as materialized (${unreadOf(personId)}),
    page as (select * from (${shownOf('newest', personId)}) shown order by created_at desc, id desc limit ${limit}),
    about as (${publicWorks(sql`array(select about_id from page)`, now)})
    select counted.*, page.*,
      case when page.kind = any(${ofComments}::text[]) then text_of_comment(page.fact_id, creator_of(page.about_id)) end as comment,
      case when about.id is not null then to_jsonb(about) end as about
    from (select (select count(*) from (${shownOf('unread', personId)}) shown) as unread, (select count(*) from newest) as read) counted
    left join page on true
    left join about on about.id = page.about_id
    order by page.created_at desc, page.id desc`.execute(db);
  // If the page is empty, the only row contains just the counts.
  const rows = listed.filter((row) => row.id !== null);
  return { rows, unread: listed[0]?.unread ?? 0, read: listed[0]?.read ?? 0 };
}

/** In a list the caption only says which work it is. */
const captionAtMost = 100;

/**
 * The reels, posts and stories with these ids that are public. They are the receiver's or the sender's, so a block between the two has left
 * out the notification already.
 */
const publicWorks = (ids: RawBuilder<unknown>, now: Date) => sql`
  select id, coalesce(cover_key, thumbnail_key, media_key) as key,
    case when cover_key is null and thumbnail_key is not null then ${thumbnailFile} else ${reelFiles.tile} end as file,
    left(caption, ${captionAtMost}) as caption
  from reels where id = any(${ids}) and state = 'ready' and deleted_at is null and taken_down_at is null
  union all
  select id, media_key, ${smallPhotoFile}, left(caption, ${captionAtMost})
  from posts where id = any(${ids}) and deleted_at is null and taken_down_at is null
  union all
  select id, media_key, ${smallPhotoFile}, left(status_text, ${captionAtMost})
  from stories where id = any(${ids}) and deleted_at is null and taken_down_at is null
    and published_at > ${now}::timestamptz - ${`${limits.storyHours} hours`}::interval`;

export async function countUnread(db: Kysely<Tables>, personId: string): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    with unread as materialized (${unreadOf(personId)})
    select count(*) as unread from (${shownOf('unread', personId)}) shown`.execute(db);
  return rows[0]?.unread ?? 0;
}

/** While a site is upgraded, the next version writes kinds that are unknown here. */
const ofKnownKind = (personId: string) =>
  sql`person_id = ${personId} and kind = any(${notificationKinds}::text[])`;

const unreadOf = (personId: string) =>
  sql`select kind, sender_id, about_id from notifications where ${ofKnownKind(personId)} and read_at is null`;

/** Those of a person's own notifications that the person sees. */
const shownOf = (own: 'newest' | 'unread' | 'own', personId: string) => sql`
  select own.*, people.username, people.picture_key
  from ${sql.ref(own)} own left join people on people.id = own.sender_id
  where people.suspended_at is null and (people.id is null) = (own.sender_id is null)
    and ${notBlocked(personId, 'own.sender_id')}
    -- The reel may belong to a third person, between whom and the receiver there is a block.
    and (own.kind <> 'mention' or own.about_id in (
      select id from works
      where id = any(array(select about_id from ${sql.ref(own)} where kind = 'mention'))
        and ${notBlocked(personId, 'works.creator_id')}))`;

/** Marks all notifications as read, or those up to one of them. */
export async function markRead(
  trx: Transaction<Tables>,
  personId: string,
  upTo: string | undefined,
  now: Date,
) {
  await keepTablesInPlace(trx);
  let query = trx
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
