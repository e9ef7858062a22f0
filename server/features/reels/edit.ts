import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import type { z } from 'zod';
import type { editReel as endpoint } from '#contract/reels.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { addToCategories } from '../categories/categories.ts';
import { refuseReported, storeVersion } from '../versions/versions.ts';
import { type Cover, makeCover, putCover } from './cover.ts';
import { lockOwnReel } from './own.ts';
import { setWords } from './reels.queries.ts';
import { categoryIds } from './reels.ts';
import { indexReel } from './searched.ts';
import { isPublic } from './show.ts';

type Form = z.output<(typeof endpoint)['body']>;

/** A reel, and the caller who edits it. */
interface Target {
  reelId: string;
  callerId: string;
}

/**
 * Changes words, categories and cover of a public reel of the caller; what is absent stays. Its coins, date and place in lists stay, too
 * (decisions §3). Returns false if the reel is like this already.
 */
export async function editReel(
  { db, storage, clock }: Context<'db' | 'storage' | 'clock'>,
  target: Target,
  form: Form,
): Promise<boolean> {
  const now = clock();
  const planned = await inTransaction(db, (trx) => findEditable(trx, target, form));
  if (!planned.changed) return false;
  const { reel, cover: second } = planned;
  const cover = second === undefined ? undefined : await makeCover({ storage }, reel, second);
  const edited = inTransaction(db, (trx) => edit(trx, target, { form, cover }, now));
  const { changed, replaced } = await edited.catch(async (error: unknown) => {
    if (cover) await storage.remove(cover.key);
    throw error;
  });
  const unused = changed ? replaced : cover?.key;
  // If this fails, the sweeper removes the files.
  if (unused) await storage.remove(unused);
  return changed;
}

/** Locks the reel, and says what would change; refuses what cannot be edited. */
async function findEditable(trx: Transaction<Tables>, { reelId, callerId }: Target, form: Form) {
  const reel = await lockOwnReel(trx, reelId, callerId, 'edit');
  const { caption, credit, categories, cover_second } = reel;
  const words = {
    caption: form.caption ?? caption,
    credit: form.creadit ?? credit,
    categories: form.category ? categoryIds(form.category) : categories,
  };
  const cover = form.cover === cover_second ? undefined : form.cover;
  const changed = cover !== undefined || !isDeepStrictEqual(words, { caption, credit, categories });
  if (!changed) return { reel, words, cover, changed };
  if (!isPublic(reel)) throw new Refusal('not_allowed', { what: 'edit' });
  if (cover !== undefined && cover > reel.seconds)
    throw new Refusal('invalid_input', { what: 'cover' }, 'cover');
  await refuseReported(trx, 'reel', reelId);
  return { reel, words, cover, changed };
}

/** Returns the key of the replaced cover, if any. */
async function edit(
  trx: Transaction<Tables>,
  target: Target,
  { form, cover }: { form: Form; cover: Cover | undefined },
  now: Date,
): Promise<{ changed: boolean; replaced?: string | null }> {
  const { reel, words, changed } = await findEditable(trx, target, form);
  // The same edit, sent twice at once.
  if (!changed) return { changed };
  const { id, creator_id: creatorId, caption, credit, categories, cover_second: coverSecond } = reel;
  await storeVersion(trx, { kind: 'reel', id, creatorId }, { caption, credit, categories, coverSecond }, now);
  await setWords(trx, reel, words, now);
  await indexReel(trx, { id, creator_id: creatorId, ...words }, now);
  await moveBetweenCategories(trx, categories, words.categories);
  if (!cover) return { changed };
  await putCover(trx, reel, cover, now);
  return { changed, replaced: reel.cover_key };
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
