import { likePost } from '#server/features/posts-and-stories/likes.ts';
import { contextAt, type Demo } from '../demo.ts';
import { people } from '../people.ts';
import { randomOf } from '../random.ts';
import { idOf } from '../society.ts';
import { unlessClosed } from './unless-closed.ts';

const day = 24 * 60 * 60 * 1000;

/** Some of the other people like a post in its first days. */
export async function addLikes(
  demo: Demo,
  postId: string,
  creatorId: string,
  postedAt: Date,
  seed: number,
): Promise<void> {
  const random = randomOf(seed + 77);
  for (const { username } of people) {
    const personId = idOf(demo.ids, username);
    const at = new Date(postedAt.getTime() + random() * 5 * day);
    if (personId === creatorId || random() < 0.25 || at > demo.now) continue;
    await unlessClosed(demo.now, (instead) => likePost(contextAt(demo, instead ?? at), postId, personId));
  }
}
