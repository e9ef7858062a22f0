import type { Transaction } from 'kysely';
import type { ValuesOf } from '#contract/sentences.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { isHidden } from '../people/blocks.ts';
import { lockReel } from './reels.queries.ts';

/** Locks a reel of the caller that is not deleted; `what` they do to it is refused for the reels of others. */
export async function lockOwnReel(
  trx: Transaction<Tables>,
  reelId: string,
  callerId: string,
  what: keyof ValuesOf<'not_yours'>,
) {
  const reel = await lockReel(trx, reelId);
  if (!reel || reel.deleted_at || (await isHidden(trx, reel.creator_id, callerId))) throw notFound('reel');
  if (reel.creator_id !== callerId) throw new Refusal('not_yours', { what });
  return reel;
}
