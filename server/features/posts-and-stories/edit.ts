import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { editPost as endpoint } from '#contract/posts.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { ownWork } from '../people/own-work.ts';
import { indexWork } from '../search-index/search-index.ts';
import { refuseReported, storeVersion } from '../versions/versions.ts';
import { lockPost, setWords } from './posts.queries.ts';

/**
 * Changes the words of a public post of the caller; what is absent stays. Its coins, date and place in lists stay, too (decisions §3).
 * Returns false if the post is like this already.
 */
export async function editPost(
  { db, clock }: Context<'db' | 'clock'>,
  id: string,
  callerId: string,
  form: z.output<(typeof endpoint)['body']>,
): Promise<boolean> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    const row = await lockPost(trx, id);
    const post = await ownWork(trx, row?.deleted_at ? undefined : row, callerId, {
      kind: 'post',
      what: 'edit',
    });
    const { caption, description } = post;
    const before = { caption, description };
    const after = { caption: form.caption ?? caption, description: form.description ?? description };
    if (isDeepStrictEqual(before, after)) return false;
    if (post.taken_down_at) throw new Refusal('not_allowed', { what: 'edit' });
    await refuseReported(trx, 'post', id);
    await storeVersion(trx, { kind: 'post', id, creatorId: callerId }, before, now);
    await setWords(trx, post, after, now);
    await indexWork(trx, { kind: 'post', id, text: `${after.caption}\n${after.description}` }, now);
    return true;
  });
}
