import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { listBlockedById } from '../people/blocks.ts';

/** Rows of one person, read in pages by their key, so that a download holds neither a connection nor a whole list. */
export const pageSize = 500;
/** A key before every id. */
export const start = '00000000-0000-0000-0000-000000000000';

type Db = Kysely<Tables>;

/** The next rows of a list after a key, in the order of that key. */
function pageAfter<DB, TB extends keyof DB, Row>(
  list: SelectQueryBuilder<DB, TB, Row>,
  key: string,
  after: string,
): Promise<Row[]> {
  return list
    .where(sql<boolean>`${sql.ref(key)} > ${after}`)
    .orderBy(sql.ref(key))
    .limit(pageSize)
    .execute() as Promise<Row[]>;
}

export function findPerson(db: Db, id: string) {
  return db
    .selectFrom('people')
    .select([
      'id as _id',
      'name',
      'username',
      'email',
      'email_verified_at as emailVerifiedAt',
      'language',
      'picture_key',
      'role',
      'follower_count as followerCount',
      'following_count as followingCount',
      'reel_count as reelCount',
      'post_count as postCount',
      'created_at as createdAt',
    ])
    .where('id', '=', id)
    .executeTakeFirst();
}

export function listReels(db: Db, creatorId: string, after: string) {
  return pageAfter(
    db
      .selectFrom('reels')
      .select([
        'id as _id',
        'media_key',
        'thumbnail_key',
        'cover_key',
        'caption',
        'credit',
        'source_url as sourceUrl',
        'categories',
        'state',
        'failure',
        'duplicate',
        'width',
        'height',
        'seconds',
        'views',
        'like_count as likeCount',
        'comment_count as commentCount',
        'share_count as shareCount',
        'uploaded_at as uploadedAt',
        'published_at as publishedAt',
        'edited_at as editedAt',
        sql<{ language: string; key: string }[]>`coalesce((
          select jsonb_agg(jsonb_build_object('language', language, 'key', key) order by language) from reel_captions
          where creator_id = ${creatorId} and reel_id = reels.id), '[]')`.as('captions'),
      ])
      .where('creator_id', '=', creatorId)
      .where('deleted_at', 'is', null),
    'id',
    after,
  );
}

export function listPosts(db: Db, creatorId: string, after: string) {
  return pageAfter(
    db
      .selectFrom('posts')
      .select([
        'id as _id',
        'media_key',
        'caption',
        'description',
        'duplicate',
        'width',
        'height',
        'like_count as likeCount',
        'published_at as publishedAt',
        'edited_at as editedAt',
      ])
      .where('creator_id', '=', creatorId)
      .where('deleted_at', 'is', null),
    'id',
    after,
  );
}

export function listStories(db: Db, creatorId: string, after: string) {
  return pageAfter(
    db
      .selectFrom('stories')
      .select([
        'id as _id',
        'media_key',
        'status_text as statusText',
        'duplicate',
        'width',
        'height',
        'seen_by as seenBy',
        'published_at as publishedAt',
      ])
      .where('creator_id', '=', creatorId)
      .where('deleted_at', 'is', null),
    'id',
    after,
  );
}

/** Stories of the last 24 hours that the person saw. */
export function listSeenStories(db: Db, personId: string, after: string) {
  return pageAfter(
    db
      .selectFrom('seen_stories')
      .select(['story_id as storyId', 'ends_at as endsAt'])
      .where('person_id', '=', personId),
    'story_id',
    after,
  );
}

/** Since when the person's taste is switched on; null if it is off. */
export async function findTaste(db: Db, personId: string) {
  const taste = await db
    .selectFrom('taste_people')
    .select('switched_on_at as since')
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return taste ?? { since: null };
}

/** What the person watched, as far as their taste is made of it. */
export function listWatchedReels(db: Db, personId: string, after: string) {
  return pageAfter(
    db
      .selectFrom('taste_watches')
      .select(['reel_id as reelId', 'watched_at as watchedAt', 'to_end as toEnd'])
      .where('person_id', '=', personId),
    'reel_id',
    after,
  );
}

export function listComments(db: Db, personId: string, after: string) {
  return pageAfter(
    db
      .selectFrom('reel_comments')
      .select(['id as _id', 'reel_id as reelId', 'thread_id as parentId', 'text', 'created_at as createdAt'])
      .where('person_id', '=', personId),
    'id',
    after,
  );
}

export function listLikedReels(db: Db, personId: string, after: string) {
  return pageAfter(
    db
      .selectFrom('reel_likes')
      .select(['reel_id as reelId', 'liked_at as likedAt'])
      .where('person_id', '=', personId),
    'reel_id',
    after,
  );
}

export function listLikedPosts(db: Db, personId: string, after: string) {
  return pageAfter(
    db
      .selectFrom('post_likes')
      .select(['post_id as postId', 'liked_at as likedAt', 'undone_at as undoneAt'])
      .where('person_id', '=', personId),
    'post_id',
    after,
  );
}

/** Of other people only public data is included. */
export function listFollowers(db: Db, personId: string, after: string) {
  return pageAfter(
    db
      .selectFrom('follows')
      .innerJoin('people', 'people.id', 'follower_id')
      .select(['follower_id as userId', 'people.username', 'followed_at as followedAt'])
      .where('followee_id', '=', personId),
    'follower_id',
    after,
  );
}

export function listFollowing(db: Db, personId: string, after: string) {
  return pageAfter(
    db
      .selectFrom('follows')
      .innerJoin('people', 'people.id', 'followee_id')
      .select(['followee_id as userId', 'people.username', 'followed_at as followedAt'])
      .where('follower_id', '=', personId),
    'followee_id',
    after,
  );
}

export async function listNotifications(db: Db, personId: string, after: string) {
  const rows = await pageAfter(
    db
      .selectFrom('notifications')
      .select(['id as _id', 'kind', 'sender_id as senderId'])
      .select(['about_id as aboutId', 'created_at as createdAt', 'read_at as readAt'])
      .where('person_id', '=', personId),
    'id',
    after,
  );
  const senders = [...new Set(rows.flatMap(({ senderId }) => senderId ?? []))];
  const people = await db
    .selectFrom('people')
    .select(['id', 'username'])
    .where(sql<boolean>`id = any(${senders}::uuid[])`)
    .execute();
  const usernames = new Map(people.map(({ id, username }) => [id, username]));
  return rows.map((row) => ({ ...row, username: usernames.get(row.senderId ?? '') ?? null }));
}

/** What the person's works said before they were edited. */
export function listVersions(db: Db, creatorId: string, after: string) {
  return pageAfter(
    db
      .selectFrom('work_versions')
      .select(['id as _id', 'kind', 'work_id as workId', 'words', 'replaced_at as replacedAt'])
      .where('creator_id', '=', creatorId),
    'id',
    after,
  );
}

/** Works that were taken for copies. */
export function listCopies(db: Db, creatorId: string, after: string) {
  return pageAfter(
    db
      .selectFrom('copies')
      .select([
        'work_id as _id',
        'kind',
        'original_id as originalId',
        'original_kind as originalKind',
        'found_at as foundAt',
        'asked_at as askedAt',
        'words',
        'verdict',
        'reason',
        'decided_at as decidedAt',
      ])
      .where('creator_id', '=', creatorId),
    'work_id',
    after,
  );
}

export function listMessages(db: Db, personId: string, after: string) {
  return pageAfter(
    db
      .selectFrom('messages')
      .select(['id as _id', 'kind', 'name', 'email', 'phone', 'text', 'created_at as createdAt'])
      .where('person_id', '=', personId),
    'id',
    after,
  );
}

/** Unpublished uploads. */
export function listUploads(db: Db, ownerId: string) {
  return db
    .selectFrom('uploads')
    .select(['key as fileName', 'kind', 'bytes', 'created_at as createdAt'])
    .where('owner_id', '=', ownerId)
    .where('used_at', 'is', null)
    .orderBy('created_at')
    .orderBy('key')
    .execute();
}

/** When the person requested a look at waiting views. */
export function listLooks(db: Db, creatorId: string) {
  return db
    .selectFrom('month_looks')
    .select('asked_at as askedAt')
    .where('creator_id', '=', creatorId)
    .orderBy('month')
    .execute();
}

/**
 * Months in which the person watched so much that their account may be established, and the views of each creator that it let pay; null if it
 * was not established.
 */
export function listEstablished(db: Db, personId: string) {
  return db
    .selectFrom('active_people as a')
    .leftJoin('established_accounts as e', (join) =>
      join.onRef('e.month', '=', 'a.month').onRef('e.person_id', '=', 'a.person_id'),
    )
    .select(['a.month', 'e.views'])
    .where('a.person_id', '=', personId)
    .orderBy('a.month')
    .execute();
}

export function listWithdrawals(db: Db, creatorId: string, after: string) {
  return pageAfter(
    db
      .selectFrom('withdrawals')
      .select([
        'id as _id',
        'month',
        'coins',
        'carried',
        'paise',
        'state',
        'reference',
        'reason',
        'requested_at as requestedAt',
        'ready_at as readyAt',
        'decided_at as decidedAt',
      ])
      .where('creator_id', '=', creatorId),
    'id',
    after,
  );
}

export function listPayments(db: Db, creatorId: string, after: string) {
  return pageAfter(
    db
      .selectFrom('payout_attempts')
      .select([
        'id as _id',
        'withdrawal_id as withdrawalId',
        'number',
        'paise',
        'state',
        'masked as destination',
        'reference',
        'reason',
        'prepared_at as preparedAt',
        'approved_at as approvedAt',
        'sent_at as sentAt',
        'paid_at as paidAt',
        'ended_at as endedAt',
      ])
      .where('creator_id', '=', creatorId),
    'id',
    after,
  );
}

export function listActivity(db: Db, personId: string, after: string) {
  return pageAfter(
    db
      .selectFrom('activity_events')
      .select(['id as _id', 'kind', 'fact', 'day', 'noted_at as notedAt'])
      .where('person_id', '=', personId),
    'id',
    after,
  );
}

export function listSharedReels(db: Db, personId: string, after: string) {
  return pageAfter(
    db
      .selectFrom('reel_shares')
      .select(['reel_id as reelId', 'shared_at as sharedAt'])
      .where('person_id', '=', personId),
    'reel_id',
    after,
  );
}

export const listBlocked = (db: Db, blockerId: string, after: string) =>
  listBlockedById(db, { blockerId, after }, pageSize);

export function listReports(db: Db, personId: string, after: string) {
  return pageAfter(
    db
      .selectFrom('reports')
      .innerJoin('cases', 'cases.id', 'case_id')
      .select([
        'reports.id as _id',
        'number',
        'kind',
        'target_id as targetId',
        'reason',
        'text',
        'created_at as createdAt',
      ])
      .where('reporter_id', '=', personId),
    'reports.id',
    after,
  );
}

export function listDecisions(db: Db, personId: string, after: string) {
  return pageAfter(
    db
      .selectFrom('decisions')
      .select([
        ...(['id as _id', 'kind', 'target_id as targetId', 'rule', 'act', 'until', 'reason'] as const),
        ...(['decided_at as decidedAt', 'ended_at as endedAt'] as const),
      ])
      .where('person_id', '=', personId),
    'id',
    after,
  );
}

export function listIdentities(db: Db, personId: string) {
  return db
    .selectFrom('identities')
    .select(['issuer', 'subject', 'email', 'linked_at as linkedAt'])
    .where('person_id', '=', personId)
    .orderBy('issuer')
    .orderBy('subject')
    .execute();
}

/** Imported links. */
export function listImports(db: Db, personId: string) {
  return db
    .selectFrom('imports')
    .select(['source_url as sourceUrl', 'title', 'imported_at as importedAt'])
    .where('person_id', '=', personId)
    .orderBy('imported_at')
    .orderBy('upload_key')
    .execute();
}
