import type { Page } from '#contract/fields.ts';
import type { Context } from '#server/platform/context.ts';
import { pageWithin } from '#server/platform/cursor.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { postsById } from '../posts-and-stories/posts.ts';
import { reelsById } from '../reels/reels.ts';
import { tagKey } from '../search-index/search-index.ts';
import * as queries from './search.queries.ts';

type Reading = Context<'db' | 'config'>;

interface Asked extends Page {
  tag: string;
  kind?: 'reel' | 'post' | undefined;
}

/** A tag, in any spelling, with its public works, newest first. Throws if it has none. */
export async function showTag(context: Reading, { tag, kind, limit, cursor }: Asked, viewerId?: string) {
  const { db } = context;
  const [data] = await queries.searching(db, async (trx) => {
    const row = await queries.findTag(trx, tagKey(tag));
    return row ? await queries.tagsByIds(trx, viewerId, [row.id]) : [];
  });
  if (!data || data.works === 0) throw notFound('tag');
  const before = kind && cursor ? readId(cursor) : undefined;
  async function listOf<Entity extends object>(
    one: 'reel' | 'post',
    entitiesBy: (
      context: Reading,
      ids: string[],
      viewerId: string | undefined,
    ) => Promise<Map<string, Entity>>,
  ) {
    if (kind && kind !== one) return { data: [], nextCursor: null };
    const which = { tagId: data?.id ?? '', kind: one, viewerId };
    const works = await queries.searching(db, (trx) => queries.listWorksOfTag(trx, which, limit + 1, before));
    const ids = works.map(({ id }) => id);
    const entities = await entitiesBy(context, ids, viewerId);
    const rows = ids.flatMap((id) => {
      const entity = entities.get(id);
      return entity ? [{ id, entity }] : [];
    });
    return pageWithin(
      rows,
      { limit, lists: kind ? 1 : 2 },
      ({ id }) => Buffer.from(id).toString('base64url'),
      ({ entity }) => entity,
    );
  }
  const { id: _, ...shown } = data;
  return { data: shown, reels: await listOf('reel', reelsById), posts: await listOf('post', postsById) };
}

function readId(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw new Refusal('bad_cursor', {}, 'cursor');
  return id;
}
