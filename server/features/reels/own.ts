import type { Transaction } from 'kysely';
import type { ValuesOf } from '#contract/sentences.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { ownWork } from '../people/own-work.ts';
import { lockReel } from './reels.queries.ts';

/** Locks a reel of the caller that is not deleted; `what` they do to it is refused for the reels of others. */
export async function lockOwnReel(
  trx: Transaction<Tables>,
  reelId: string,
  callerId: string,
  what: keyof ValuesOf<'not_yours'>,
) {
  const reel = await lockReel(trx, reelId);
  return await ownWork(trx, reel?.deleted_at ? undefined : reel, callerId, { kind: 'reel', what });
}
