import { type Kysely, sql, type Transaction } from 'kysely';
import { type Group, isAmong } from '#server/platform/database/among-works.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/** A reel or post and its creator. On a cluster, its creator decides on which node it and all its likes, comments and views are stored. */
export interface Work {
  id: string;
  creator_id: string;
}

export const groupOf = (works: readonly Work[]): Group => ({
  ids: works.map(({ id }) => id),
  creatorIds: [...new Set(works.map(({ creator_id }) => creator_id))],
});

/** What `works` says of each reel or post: `published_at` is null unless the work is public by its own state. */
const derived = {
  reel: sql`
    select id, 'reel', creator_id,
      case when state = 'ready' and deleted_at is null and taken_down_at is null then published_at end, categories
    from reels`,
  post: sql`
    select id, 'post', creator_id, case when deleted_at is null and taken_down_at is null then published_at end, '{}'::text[]
    from posts`,
};

/**
 * Makes `works` say what these reels or posts say, in the transaction that has inserted them, or changed their state, times or categories. Without
 * `works`: all reels or posts, after their table was filled by other means.
 */
export async function putWorks(
  trx: Transaction<Tables>,
  kind: 'reel' | 'post',
  works?: readonly Work[],
): Promise<void> {
  const chosen = works ? isAmong(groupOf(works)) : sql`true`;
  await sql`
    insert into works as w (id, kind, creator_id, published_at, categories)
    ${derived[kind]} where ${chosen} order by id
    on conflict (id) do update set published_at = excluded.published_at, categories = excluded.categories
    where (w.published_at, w.categories) is distinct from (excluded.published_at, excluded.categories)`.execute(
    trx,
  );
}

/** How many creators a process remembers; those that were found first are dropped. */
const maxKnown = 100_000;
/** The creators of works by id, in small letters. A work never gets another creator. */
const known = new Map<string, string>();

/** The creator of a reel or post in any state, if this process remembers it. */
export const rememberedCreator = (id: string): string | undefined => known.get(id.toLowerCase());

/** The creator of a reel or post in any state; undefined if there is none with this id. */
export async function creatorOf(db: Kysely<Tables>, id: string): Promise<string | undefined> {
  return (await creatorsOf(db, [id])).get(id.toLowerCase());
}

/** The creators of these reels and posts in any state, by id in small letters. */
export async function creatorsOf(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const missing = new Set<string>();
  for (const id of ids) {
    const creatorId = rememberedCreator(id);
    if (creatorId) found.set(id.toLowerCase(), creatorId);
    else missing.add(id);
  }
  if (missing.size === 0) return found;
  const rows = await db
    .selectFrom('works')
    .select(['id', 'creator_id'])
    .where(sql<boolean>`id = any(${[...missing]}::uuid[])`)
    .execute();
  for (const { id, creator_id } of rows) {
    found.set(id, creator_id);
    known.set(id, creator_id);
  }
  for (const oldest of known.keys()) {
    if (known.size <= maxKnown) break;
    known.delete(oldest);
  }
  return found;
}
