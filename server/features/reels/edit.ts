import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import type { z } from 'zod';
import type { editReel as endpoint } from '#contract/reels.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { addToCategories } from '../categories/categories.ts';
import { storeVersion } from '../versions/versions.ts';
import { lockOwnReel } from './own.ts';
import { setWords } from './reels.queries.ts';
import { categoryIds } from './reels.ts';
import { isPublic } from './show.ts';

/**
 * Changes words and categories of a public reel of the caller; what is absent stays. Its coins, date and place in lists stay, too
 * (decisions §3). Returns false if the reel is like this already.
 */
export async function editReel(
  { db, clock }: Context<'db' | 'clock'>,
  reelId: string,
  callerId: string,
  form: z.output<(typeof endpoint)['body']>,
): Promise<boolean> {
  const now = clock();
  const chosen = form.category && categoryIds(form.category);
  return await inTransaction(db, async (trx) => {
    const { caption, credit, categories, ...reel } = await lockOwnReel(trx, reelId, callerId, 'edit');
    const before = { caption, credit, categories };
    const after = {
      caption: form.caption ?? caption,
      credit: form.creadit ?? credit,
      categories: chosen ?? categories,
    };
    if (isDeepStrictEqual(before, after)) return false;
    if (!isPublic(reel)) throw new Refusal('not_allowed', { what: 'edit' });
    await storeVersion(trx, { kind: 'reel', id: reelId, creatorId: callerId }, before, now);
    await setWords(trx, reelId, after, now);
    await moveBetweenCategories(trx, before.categories, after.categories);
    return true;
  });
}

async function moveBetweenCategories(
  trx: Transaction<Tables>,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  await addToCategories(
    trx,
    before.filter((id) => !after.includes(id)),
    -1,
  );
  await addToCategories(
    trx,
    after.filter((id) => !before.includes(id)),
    1,
  );
}
