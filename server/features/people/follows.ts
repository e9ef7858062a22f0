import type { Kysely } from 'kysely';
import type { Page } from '#contract/fields.ts';
import type { Person } from '#contract/people.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { notify } from '../notifications/notifications.ts';
import { refuseBlocked } from './blocks.ts';
import { asPerson } from './people.ts';
import * as queries from './relations.queries.ts';

export interface Followed {
  following: boolean;
  followerCount: number;
}

/** Follows a person. Following twice has no further effect. */
export async function follow(
  { db, clock }: Context<'db' | 'clock'>,
  followerId: string,
  followeeId: string,
): Promise<Followed> {
  if (followerId === followeeId) throw new Refusal('invalid_input', 'You cannot follow yourself.');
  const now = clock();
  return await inTransaction(db, async (trx) => {
    if (!(await queries.lockPair(trx, followerId, followeeId)).has(followeeId))
      throw notFound('User not found');
    await refuseBlocked(trx, followeeId, followerId);
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
    const there = await queries.lockPair(trx, followerId, followeeId);
    // A follow can also be ended while the followed account is suspended.
    const ended = await queries.endFollow(trx, followerId, followeeId);
    if (!ended && !there.has(followeeId)) throw notFound('User not found');
    return { following: false, followerCount: await queries.countFollowers(trx, followeeId) };
  });
}

/** Lists a person's followers, the people they follow, or the people they block, newest first. */
export async function listRelated(
  { db, config }: Context<'db' | 'config'>,
  relation: queries.Relation,
  personId: string,
  { limit, cursor }: Page,
): Promise<{ data: Person[]; nextCursor: string | null }> {
  // Only the caller can list blocked people, and callers always exist.
  if (relation !== 'blocked' && !(await queries.isActive(db, personId))) throw notFound('User not found');
  const found = await queries.listRelated(db, { relation, personId }, limit + 1, readCursor(cursor));
  const position = (row: (typeof found)[number]) => ({ at: row.since, id: row.id });
  return pageOf(found, limit, position, (row) => asPerson(row, config.mediaOrigin));
}
