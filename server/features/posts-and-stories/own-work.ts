import type { Transaction } from 'kysely';
import { type Moment, monthOf } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { notFound } from '#server/platform/refusal.ts';
import { waitsForReview } from '../copies/waiting.ts';
import { addToMonths } from '../earnings/months.ts';
import { type Kind, lockPhoto, setOwn } from './photos.queries.ts';
import { countLikes } from './posts.queries.ts';
import { postTakeDown, storyTakeDown } from './take-down.ts';

/**
 * Counts a photo that was wrongly taken for a copy: from now on, with its current likes. One that waited for a review becomes public. Part
 * of the transaction of the decision.
 */
export async function countAsOwn(
  trx: Transaction<Tables>,
  { kind, id }: { kind: Kind; id: string },
  { now, timeZone }: Moment,
): Promise<void> {
  const photo = await lockPhoto(trx, kind, id);
  if (!photo || photo.deleted_at) throw notFound(`This ${kind} was not found.`);
  const { creator_id: creatorId } = photo;
  if (photo.taken_down_reason === waitsForReview)
    await (kind === 'post' ? postTakeDown : storyTakeDown).restore(trx, id, now);
  if (!photo.duplicate) return;
  await setOwn(trx, kind, id, now);
  const counts =
    kind === 'post' ? { posts: 1, likes: await countLikes(trx, [id], creatorId) } : { stories: 1 };
  await addToMonths(trx, [{ creatorId, month: monthOf(now, timeZone), ...counts }]);
}
