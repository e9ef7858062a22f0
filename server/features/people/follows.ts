import type { Kysely, Transaction } from 'kysely';
import type { Page } from '#contract/fields.ts';
import type { Person } from '#contract/people.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { isHidden } from './blocks.ts';
import { asPerson } from './people.ts';
import * as queries from './relations.queries.ts';

export interface Followed {
  following: boolean;
  followerCount: number;
}

/** Notifies a person of a new follower, in the transaction of the follow. Notifications stand on this feature, so it is passed. */
export type NotifyFollowed = (
  trx: Transaction<Tables>,
  followeeId: string,
  fact: { kind: 'follow'; senderId: string },
  now: Date,
) => Promise<void>;

/** Follows a person. Following twice has no further effect. */
export async function follow(
  { db, clock }: Context<'db' | 'clock'>,
  followerId: string,
  followeeId: string,
  notify: NotifyFollowed,
): Promise<Followed> {
  if (followerId === followeeId) throw new Refusal('invalid_input', { what: 'follow_yourself' });
  const now = clock();
  return await inTransaction(db, async (trx) => {
    await queries.lockPair(trx, followerId, followeeId);
    if (await isHidden(trx, followeeId, followerId)) throw notFound('user');
    if (await queries.insertFollow(trx, followerId, followeeId, now)) {
      await queries.addToFollowCounts(trx, followerId, followeeId, 1);
      await notify(trx, followeeId, { kind: 'follow', senderId: followerId }, now);
    }
    return { following: true, followerCount: await queries.countFollowers(trx, followeeId) };
  });
}

/** Stops following a person. Doing so twice has no further effect. */
export async function unfollow(
  db: Kysely<Tables>,
  followerId: string,
  followeeId: string,
): Promise<Followed> {
  return await inTransaction(db, async (trx) => {
    await queries.lockPair(trx, followerId, followeeId);
    // A follow can also be ended while the followed account is suspended.
    const ended = await queries.endFollow(trx, followerId, followeeId);
    if (!ended && (await isHidden(trx, followeeId, followerId))) throw notFound('user');
    return { following: false, followerCount: await queries.countFollowers(trx, followeeId) };
  });
}

/** Those of these people whom a person follows, in the order of `ids`. A block ends follows, so none of them is hidden. */
export async function followedOf(db: Kysely<Tables>, followerId: string, ids: string[]): Promise<string[]> {
  const followed = new Set(await queries.followedOf(db, followerId, ids));
  return [...new Set(ids.map((id) => id.toLowerCase()))].filter((id) => followed.has(id));
}

/** Lists a person's followers or the people they follow, newest first. */
export async function listFollows(
  { db, config }: Context<'db' | 'config'>,
  which: Omit<queries.Follows, 'viewerId'>,
  { limit, cursor }: Page,
  viewerId?: string,
): Promise<{ data: Person[]; nextCursor: string | null }> {
  if (await isHidden(db, which.personId, viewerId)) throw notFound('user');
  const rows = await queries.listFollows(db, { ...which, viewerId }, limit + 1, readCursor(cursor));
  const position = (row: (typeof rows)[number]) => ({ at: row.since, id: row.id });
  return pageOf(rows, limit, position, (row) => asPerson(row, config.mediaOrigin));
}
