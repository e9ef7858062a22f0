import type { Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { addToCategories } from '../categories/categories.ts';
import * as queries from './reels.queries.ts';

/**
 * Changes the counts of public reels of the categories and of the creator, in the transaction that publishes or hides
 * the reel.
 */
export async function countPublic(
  trx: Transaction<Tables>,
  reel: { creator_id: string; categories: string[] },
  by: 1 | -1,
): Promise<void> {
  await addToCategories(trx, reel.categories, by);
  await queries.addToReelCount(trx, reel.creator_id, by);
}
