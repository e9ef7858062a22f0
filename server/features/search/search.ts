import type { Kysely } from 'kysely';
import { type Category, categoryOf } from '#contract/categories.ts';
import type { Page } from '#contract/fields.ts';
import { firstResults, type SearchedKind, searchedKinds, type Tag } from '#contract/search.ts';
import type { Context } from '#server/platform/context.ts';
import { pageWithin } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { peopleById } from '../people/people.ts';
import { postsById } from '../posts-and-stories/posts.ts';
import { reelsById } from '../reels/reels.ts';
import { type Asked, askedOf } from './asked.ts';
import { categoriesFor } from './categories.ts';
import { correctionsOf, suggest } from './corrections.ts';
import { exactMatches, looseMatches } from './matches.ts';
import { type Position, readPosition, writePosition } from './position.ts';
import * as queries from './search.queries.ts';

type Reading = Context<'db' | 'config'>;

interface Search extends Page {
  q: string;
  kind?: SearchedKind | undefined;
}

/** The entities of results, by their ids. */
const entitiesOf = {
  reel: reelsById,
  post: postsById,
  person: peopleById,
  async tag(
    { db }: Reading,
    ids: readonly string[],
    viewerId: string | undefined,
  ): Promise<Map<string, Tag>> {
    const tags = await queries.tagsByIds(db, viewerId, ids);
    return new Map(tags.map(({ id, ...tag }) => [id, tag]));
  },
} satisfies Record<SearchedKind, unknown>;

/** Finds what is public by its words; all kinds, or one in pages. */
export async function search(context: Reading, { q, kind, limit, cursor }: Search, viewerId?: string) {
  const asked = askedOf(q);
  const corrections = memoized(() => correctionsOf(context.db, asked));
  const after = readPosition(kind ? cursor : undefined);
  async function listOf<Kind extends SearchedKind>(one: Kind) {
    const most = kind ? limit : firstResults[one];
    const which = { kind: one, viewerId, after };
    const found =
      kind && kind !== one ? [] : await matching(context.db, { asked, corrections, which }, most + 1);
    return { found, limit: most, lists: kind ? 1 : searchedKinds.length };
  }
  const [reels, posts, people, tags] = await Promise.all([
    listOf('reel'),
    listOf('post'),
    listOf('person'),
    listOf('tag'),
  ]);
  const found = [reels, posts, people, tags].flatMap((list) => list.found);
  const categories = kind ? [] : categoriesFor(asked);
  const isUnknown = !kind && categories.length === 0 && found.every(({ rank }) => rank > lastExactRank);
  return {
    reels: await shown(reels, (ids) => entitiesOf.reel(context, ids, viewerId)),
    posts: await shown(posts, (ids) => entitiesOf.post(context, ids, viewerId)),
    people: await shown(people, (ids) => entitiesOf.person(context, ids, viewerId)),
    tags: await shown(tags, (ids) => entitiesOf.tag(context, ids, viewerId)),
    categories: categories.map(categoryOf).filter((one): one is Category => one !== undefined),
    suggestion: isUnknown ? await suggest(context.db, asked, await corrections(), viewerId) : null,
  };
}

/** Later ranks are by corrected words, or by some of them. */
const lastExactRank = 2;

interface Matching {
  asked: Asked;
  corrections: () => Promise<ReadonlyMap<string, { key: string; word: string }[]>>;
  which: { kind: SearchedKind; viewerId: string | undefined; after: Position | undefined };
}

/** The results by the words themselves, and then, if they do not fill the page, by similar words. */
async function matching(db: Kysely<Tables>, { asked, corrections, which }: Matching, limit: number) {
  if (asked.words.length === 0) return [];
  const exact = Array.from({ length: lastExactRank + 1 }, (_, rank) => exactMatches(which.kind, asked)[rank]);
  const found = await queries.listMatches(db, { ...which, matches: exact }, limit);
  if (found.length === limit || asked.isShort) return found;
  const similar = new Map(
    [...(await corrections())].map(([word, alike]) => [word, alike.map(({ key }) => key)]),
  );
  const matches = [...exact, ...looseMatches(asked, similar)];
  const rest = { ...which, matches, from: lastExactRank + 1 };
  return [...found, ...(await queries.listMatches(db, rest, limit - found.length))];
}

async function shown<Entity extends object>(
  { found, limit, lists }: { found: Position[]; limit: number; lists: number },
  entitiesBy: (ids: string[]) => Promise<Map<string, Entity>>,
): Promise<{ data: Entity[]; nextCursor: string | null }> {
  const entities = await entitiesBy(found.map(({ id }) => id));
  // Something may have become private since it was found.
  const rows = found.flatMap((position) => {
    const entity = entities.get(position.id);
    return entity ? [{ position, entity }] : [];
  });
  return pageWithin(
    rows,
    { limit, lists },
    ({ position }) => writePosition(position),
    ({ entity }) => entity,
  );
}

function memoized<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
