import type { Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { notFound } from '#server/platform/refusal.ts';
import { waitsForReview } from '../copies/waiting.ts';
import { type Kind, lockPhoto, setOwn } from './photos.queries.ts';
import { postTakeDown, storyTakeDown } from './take-down.ts';

/**
 * Stores that a photo is no copy; one that waited for a review becomes public. Part of the transaction of the decision. Returns whether it
 * did not count so far.
 */
export async function takeForOwn(
  trx: Transaction<Tables>,
  { kind, id }: { kind: Kind; id: string },
  now: Date,
): Promise<boolean> {
  const photo = await lockPhoto(trx, kind, id);
  if (!photo || photo.deleted_at) throw notFound(kind);
  if (photo.taken_down_reason === waitsForReview)
    await (kind === 'post' ? postTakeDown : storyTakeDown).restore(trx, id, now);
  if (photo.duplicate) await setOwn(trx, kind, id);
  return photo.duplicate;
}
