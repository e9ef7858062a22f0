import { queryOptions } from '@tanstack/react-query';
import type { CallEndpoint } from '#contract/call.ts';
import { getStoryPeople, getStoryRow, type StoryPerson } from '#contract/stories.ts';
import { call } from '#web/api.ts';
import { storageKeys } from '#web/storage-keys.ts';
import { currentToken } from '../session/session.ts';

/** The navigation state of `/story/{userId}`. */
export interface StoryState {
  /** Whose stories follow one another; without it, only those of the address are shown. */
  people?: string[];
}

export async function storyPeople(caller: CallEndpoint, limit: number): Promise<StoryPerson[]> {
  return (await caller(getStoryPeople, { query: { limit } })).data;
}

/** The people with running stories, newest first. */
export const peopleWithStories = queryOptions({
  queryKey: ['stories', 'people'],
  queryFn: () => storyPeople(call, 100),
});

/** Up to which story somebody's were seen. Ids begin with their time, so a later story has a larger one. */
export interface Seen {
  userId: string;
  storyId: string;
}

export interface Row {
  followed: StoryPerson[];
  seen: Seen[];
}

/** What differs from person to person: of somebody who is signed in the server knows it, of others this device. */
export const storyRow = queryOptions({
  queryKey: ['stories', 'row'],
  queryFn: async ({ signal }): Promise<Row> =>
    currentToken() ? await call(getStoryRow, {}, { signal }) : { followed: [], seen: seenHere() },
});

function seenHere(): Seen[] {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKeys.storiesSeen) ?? '[]') as Partial<Seen>[];
    // A browser may hold data of another version of the site.
    return stored.filter((one): one is Seen => Boolean(one.userId && one.storyId));
  } catch {
    return [];
  }
}

export const isSeen = (row: Row | undefined, { userId, storyId }: Seen): boolean =>
  row?.seen.some((one) => one.userId === userId && one.storyId >= storyId) ?? false;

/** People with stories in the order of their row: oneself, those one follows, others; in each, unseen ones first. */
export function inOrder(people: readonly StoryPerson[], row: Row | undefined, ownId?: string): StoryPerson[] {
  const followed = new Set(row?.followed.map(({ userId }) => userId));
  const known = new Set(people.map(({ userId }) => userId));
  const all = [...people, ...(row?.followed ?? []).filter(({ userId }) => !known.has(userId))];
  const rank = (one: StoryPerson) =>
    one.userId === ownId ? 0 : 1 + (followed.has(one.userId) ? 0 : 2) + (isSeen(row, one) ? 1 : 0);
  return all.toSorted((one, other) => rank(one) - rank(other));
}
