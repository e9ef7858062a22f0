import type { Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { addToCategories } from '../categories/categories.ts';
import * as queries from './reels.queries.ts';

/** Counts a reel where everybody sees its number: its categories and its creator. Part of what makes it public or hides it. */
export async function countPublic(
  trx: Transaction<Tables>,
  reel: { creator_id: string; categories: string[] },
  by: 1 | -1,
): Promise<void> {
  await addToCategories(trx, reel.categories, by);
  await queries.addToReelCount(trx, reel.creator_id, by);
}
