import { queryOptions } from '@tanstack/react-query';
import type { CallEndpoint } from '#contract/call.ts';
import { getFriendStories, type Story } from '#contract/stories.ts';
import { call } from '#web/api.ts';
import { queryClient } from '#web/query-client.ts';

/** The fields of a story that the viewer shows. */
const shown = [
  '_id',
  'userId',
  'username',
  'profilePic',
  'statustext',
  'imageurl',
  'renditions',
  'avif',
  'card',
  'placeholder',
  'width',
  'height',
  'seenBy',
  'createdAt',
] as const satisfies (keyof Story)[];
export type ShownStory = Pick<Story, (typeof shown)[number]>;

/** More than a person is patient for: the newest of a day. */
const storiesAtMost = 100;

/** The running stories of a person, in the order in which they were published. */
export async function runningStories(
  caller: CallEndpoint,
  userId: string,
  signal?: AbortSignal,
): Promise<ShownStory[]> {
  const input = { params: { userId }, query: { limit: storiesAtMost } };
  const { data } = await caller(getFriendStories, input, signal ? { signal } : {});
  return data
    .filter((story) => story.finish === 0 && story.takenDown === null)
    .map((story) => Object.fromEntries(shown.map((name) => [name, story[name]])) as unknown as ShownStory)
    .reverse();
}

/** The same; loaded before they are shown, since each is looked up again when it begins. */
export const storiesOf = (userId: string) =>
  queryOptions({
    queryKey: ['stories', 'of', userId],
    queryFn: ({ signal }) => runningStories(call, userId, signal),
    staleTime: 30_000,
  });

/** Whether a story is still there: it may have ended, or have been deleted, since it was loaded. Without a network it is. */
export async function isStillThere({ _id, userId }: ShownStory): Promise<boolean> {
  const stories = await queryClient()
    .fetchQuery({ ...storiesOf(userId), staleTime: 5000 })
    .catch(() => undefined);
  return !stories || stories.some((one) => one._id === _id);
}
