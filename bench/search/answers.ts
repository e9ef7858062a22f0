import type { Kysely } from 'kysely';
import { search } from '#server/features/search/search.ts';
import { tagKey } from '#server/features/search-index/search-index.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextOn } from '#testing/context.ts';
import { searchedPerson, searchedPost, searchedReel } from '#testing/fixtures/searched.ts';
import { type MarkedQuery, markedQueries } from './queries.ts';
import { searchedPeople, searchedPhotos, searchedReels } from './texts.ts';

/** Stores the texts; returns the marks of the queries by the ids of the entities. */
export async function fillSearched(db: Kysely<Tables>): Promise<Map<string, string>> {
  const marks = new Map<string, string>();
  const people: string[] = [];
  for (const person of searchedPeople) {
    const id = await searchedPerson(db, person);
    people.push(id);
    marks.set(id, `person:${person.username}`);
  }
  const creator = (place: number) => people[place % people.length] ?? '';
  for (const [place, work] of searchedReels.entries())
    marks.set(await searchedReel(db, creator(place), work), `reel:${work.id}`);
  for (const [place, { id, words }] of searchedPhotos.entries())
    marks.set(await searchedPost(db, creator(place), words), `post:${id}`);
  return marks;
}

/** The queries that are not answered: nothing of what a person marked is among the first ten of its kind. */
export async function unanswered(
  db: Kysely<Tables>,
  marks: ReadonlyMap<string, string>,
): Promise<MarkedQuery[]> {
  const missed: MarkedQuery[] = [];
  for (const query of markedQueries) {
    const { reels, posts, people, tags, categories } = await search(contextOn(db), { q: query.q, limit: 10 });
    const first = new Set([
      ...[reels, posts, people].flatMap(({ data }) => data.slice(0, 10).map(({ _id }) => marks.get(_id))),
      ...tags.data.slice(0, 10).map(({ tag }) => `tag:${tag}`),
      ...categories.slice(0, 10).map(({ id }) => `category:${id}`),
    ]);
    const right = query.right.map((mark) =>
      mark.startsWith('tag:') ? `tag:${tagKey(mark.slice(4))}` : mark,
    );
    if (!right.some((mark) => first.has(mark))) missed.push(query);
  }
  return missed;
}
