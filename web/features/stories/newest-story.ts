import type { CallEndpoint } from '#contract/call.ts';
import { getFriendStories } from '#contract/stories.ts';

/** The newest running story of a person; null if there is none. */
export async function newestStory(caller: CallEndpoint, userId: string): Promise<string | null> {
  const { data } = await caller(getFriendStories, { params: { userId }, query: { limit: 1 } });
  const [newest] = data;
  return newest?.finish === 0 && newest.takenDown === null ? newest._id : null;
}
