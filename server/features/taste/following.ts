import type { Page } from '#contract/fields.ts';
import type { Reel } from '#contract/reels.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import { reelsById } from '../reels/reels.ts';
import { listFollowed } from './following.queries.ts';

/** Reels of the people whom somebody follows, newest first. */
export async function listFollowedReels(
  context: Context<'db' | 'config'>,
  { limit, cursor }: Page,
  followerId: string,
): Promise<{ data: Reel[]; nextCursor: string | null }> {
  const rows = await listFollowed(context.db, followerId, limit + 1, readCursor(cursor));
  const reels = await reelsById(
    context,
    rows.map(({ id }) => id),
    followerId,
  );
  // One may have become private since it was found.
  const shown = rows.flatMap(({ id, published_at: at }) => {
    const reel = reels.get(id);
    return reel ? [{ id, at, reel }] : [];
  });
  return pageOf(
    shown,
    limit,
    ({ at, id }) => ({ at, id }),
    ({ reel }) => reel,
  );
}
