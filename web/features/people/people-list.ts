import type { Caller } from '../../../contract/call.ts';
import { getAllUsers, type Person } from '../../../contract/people.ts';
import { call } from '../../api.ts';
import type { ListOptions, ListPage } from '../lists/use-list.ts';

/** What the list shows of a person. */
export type ListedPerson = Pick<Person, '_id' | 'name' | 'username' | 'profilePic' | 'followerCount'> & {
  published: number;
};
export type PeoplePage = ListPage<ListedPerson>;

/** One page of everybody, or of those found by `q`. */
export async function peoplePage(
  caller: Caller,
  q: string,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<PeoplePage> {
  const query = { limit: 24, ...(q ? { q } : {}), ...(cursor ? { cursor } : {}) };
  const { data, nextCursor } = await caller(getAllUsers, { query }, signal ? { signal } : {});
  return { items: data.map(listed), nextCursor };
}

function listed({
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
