import type { Kysely } from 'kysely';
import { type Category, categoryOf } from '#contract/categories.ts';
import type { Page } from '#contract/fields.ts';
import { firstResults, foundAtMost, type SearchedKind, searchedKinds } from '#contract/search.ts';
import type { Context } from '#server/platform/context.ts';
import { pageWithin } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { peopleById } from '../people/people.ts';
import { postsById } from '../posts-and-stories/posts.ts';
import { reelsById } from '../reels/reels.ts';
import { type Asked, askedOf } from './asked.ts';
import { categoriesFor } from './categories.ts';
import { type Corrections, correctionsOf, suggest } from './corrections.ts';
import { exactMatches, lastPrefix, looseMatches } from './matches.ts';
import { readPosition, writePosition } from './position.ts';
import * as queries from './search.queries.ts';

type Reading = Context<'db' | 'config'>;

interface Search extends Page {
  q: string;
  kind?: SearchedKind | undefined;
}

/** Finds what is public by its words; all kinds, or one in pages. */
export async function search(context: Reading, { q, kind, limit, cursor }: Search, viewerId?: string) {
  const asked = askedOf(q);
  const skipped = readPosition(kind ? cursor : undefined);
  const most = (one: SearchedKind) => (kind ? limit : firstResults[one]);
  const wanted = (kind ? [kind] : searchedKinds).map((one) => ({
    kind: one,
    limit: Math.min(skipped + most(one) + 1, foundAtMost),
  }));
  const categories = kind ? [] : categoriesFor(asked);
  const { found, suggestion, tagRows } = await queries.searching(context.db, async (trx) => {
    const corrections = memoized(() => correctionsOf(trx, asked));
    const { exact, loose } = await matching(trx, { asked, corrections, viewerId }, wanted);
    const found = [...exact, ...loose];
    const isUnknown = !kind && categories.length === 0 && exact.length === 0;
    const suggestion = isUnknown ? await suggest(trx, asked, await corrections(), viewerId) : null;
    const tagRows = await queries.tagsByIds(trx, viewerId, idsOf(found, 'tag').slice(skipped));
    return { found, suggestion, tagRows };
  });
  async function shown<Entity extends object>(
    one: SearchedKind,
    entitiesBy: (context: Reading, ids: string[], viewerId?: string) => Promise<Map<string, Entity>>,
  ) {
    const ids = idsOf(found, one).slice(skipped);
    const entities = await entitiesBy(context, ids, viewerId);
    // Something may have become private since it was found.
    const rows = ids.flatMap((id, place) => {
      const entity = entities.get(id);
      return entity ? [{ results: skipped + place + 1, entity }] : [];
    });
    return pageWithin(
      rows,
      { limit: most(one), lists: wanted.length },
      ({ results }) => writePosition(results),
      ({ entity }) => entity,
    );
  }
  // One after the other: in parallel they are no faster on two cores, and occupy four connections.
  const reels = await shown('reel', reelsById);
  const posts = await shown('post', postsById);
  const people = await shown('person', peopleById);
  const tags = await shown('tag', async () => new Map(tagRows.map(({ id, ...tag }) => [id, tag])));
  return {
    ...{ reels, posts, people, tags, suggestion },
    categories: categories.map(categoryOf).filter((one): one is Category => one !== undefined),
  };
}

const idsOf = (found: readonly queries.Found[], kind: SearchedKind) =>
  found.filter((match) => match.kind === kind).map(({ id }) => id);

interface Matching {
  asked: Asked;
  corrections: () => Promise<Corrections>;
  viewerId: string | undefined;
}

/** A prefix with more words is searched as a prefix. */
const completionsAtMost = 64;

/** The results by the words themselves, and if these are few, in lists that they do not fill, by similar words. */
async function matching(
  trx: Kysely<Tables>,
  { asked, corrections, viewerId }: Matching,
  wanted: readonly { kind: SearchedKind; limit: number }[],
): Promise<Record<'exact' | 'loose', queries.Found[]>> {
  if (asked.words.length === 0) return { exact: [], loose: [] };
  const prefix = lastPrefix(asked);
  const completions = prefix ? await queries.listWordsWithPrefix(trx, prefix, completionsAtMost) : undefined;
  const lists = wanted.map((one) => ({
    ...one,
    matches: exactMatches(one.kind, asked, completions),
    except: [],
  }));
  const exact = await queries.listMatches(trx, viewerId, lists);
  const unfilled = lists
    .map((list) => ({ ...list, limit: list.limit - exact.filter(({ kind }) => kind === list.kind).length }))
    .filter(({ limit }) => limit > 0);
  if (exact.length >= queries.enough || unfilled.length === 0 || asked.isShort) return { exact, loose: [] };
  const similar = new Map(
    [...(await corrections())].map(([word, alike]) => [word, alike.map(({ key }) => key)]),
  );
  const matches = looseMatches(asked, similar);
  const loose = unfilled.map((list) => ({ ...list, matches, except: list.matches }));
  return { exact, loose: await queries.listMatches(trx, viewerId, loose) };
}

function memoized<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
