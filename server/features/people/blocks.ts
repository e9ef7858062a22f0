import type { Kysely } from 'kysely';
import type { Page } from '#contract/fields.ts';
import { limits } from '#contract/limits.ts';
import type { Person } from '#contract/people.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { asPerson } from './people.ts';
import * as queries from './relations.queries.ts';

/**
 * Whether an account and its content do not exist for the viewer: it is deleted or suspended, or one of the two has blocked the other.
 * The answer is then the same as for an unknown id, so that nobody learns of a block.
 */
export async function isHidden(
  db: Kysely<Tables>,
  ownerId: string,
  viewerId: string | undefined,
): Promise<boolean> {
  return !(await queries.isShown(db, ownerId, viewerId));
}

export const listBlockedById = queries.listBlockedById;

/** Whether lists are different for this person than for everybody else. */
export const hasBlocks = queries.hasBlocks;

/**
 * Blocks a person and ends follows in both directions. Blocking twice has no further effect. A block in return for one of the other person is
 * stored too, and answered as for an unknown id.
 */
export async function block(
  { db, clock }: Context<'db' | 'clock'>,
  blockerId: string,
  blockedId: string,
): Promise<void> {
  if (blockerId === blockedId) throw new Refusal('invalid_input', { what: 'block_yourself' });
  const isFound = await inTransaction(db, async (trx) => {
    await queries.lockPair(trx, blockerId, blockedId);
    if (await queries.isBlocking(trx, blockerId, blockedId)) return true;
    if (await isHidden(trx, blockedId, blockerId)) {
      await queries.insertBlockInReturn(trx, blockerId, blockedId, clock());
      return false;
    }
    if ((await queries.countBlocks(trx, blockerId)) >= limits.blocks) throw new Refusal('too_many_blocks');
    await queries.insertBlock(trx, blockerId, blockedId, clock());
    await queries.endFollow(trx, blockerId, blockedId);
    await queries.endFollow(trx, blockedId, blockerId);
    return true;
  });
  if (!isFound) throw notFound('user');
}

/** Ends a block. Unblocking twice has no further effect; follows that the block ended stay ended. */
export const unblock = queries.deleteBlock;

/** Lists the people whom a person blocks, newest first. */
export async function listBlocked(
  { db, config }: Context<'db' | 'config'>,
  blockerId: string,
  { limit, cursor }: Page,
): Promise<{ data: Person[]; nextCursor: string | null }> {
  const rows = await queries.listBlocked(db, blockerId, limit + 1, readCursor(cursor));
  const position = (row: (typeof rows)[number]) => ({ at: row.blocked_at, id: row.id });
  return pageOf(rows, limit, position, (row) => asPerson(row, config.mediaOrigin));
}
