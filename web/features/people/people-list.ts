import { type infer as Infer, int, object, string } from 'zod/mini';
import type { CallEndpoint } from '#contract/call.ts';
import { getAllUsers, type Person } from '#contract/people.ts';
import { call } from '#web/api.ts';
import type { ListOptions, ListPage } from '../lists/use-list.ts';

/** The fields of a person that the list shows and persists between visits. */
export const listedPerson = object({
  _id: string(),
  name: string(),
  username: string(),
  profilePic: string(),
  followerCount: int(),
  published: int(),
});
export type ListedPerson = Infer<typeof listedPerson>;
export type PeoplePage = ListPage<ListedPerson>;

/** One page of those found by `q`, or of all people, where those who have something to see come first. */
export async function peoplePage(
  caller: CallEndpoint,
  q: string,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<PeoplePage> {
  const query = { ...(q ? { q } : {}), ...(cursor ? { cursor } : {}) };
  const { data, nextCursor } = await caller(getAllUsers, { query }, signal ? { signal } : {});
  const items = data.map(listed);
  if (!q) items.sort((one, other) => Number(other.published > 0) - Number(one.published > 0));
  return { items, nextCursor };
}

export function listed({
  _id,
  name,
  username,
  profilePic,
  followerCount,
  reelCount,
  postCount,
}: Person): ListedPerson {
  return { _id, name, username, profilePic, followerCount, published: reelCount + postCount };
}

export function peopleOptions(
  q: string,
  start: string | null,
  first: PeoplePage | null,
  firstIsOld: boolean,
): ListOptions<ListedPerson> {
  return {
    queryKey: ['people', q],
    fetchPage: (cursor, signal) => peoplePage(call, q, cursor, signal),
    start,
    first,
    firstIsOld,
    keepsPrevious: true,
  };
}
