import type { Kysely } from 'kysely';
import { likePost, unlikePost } from '#contract/engagement.ts';
import * as contract from '#contract/posts.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Jobs } from '#server/platform/jobs.ts';
import { on, type Route } from '#server/platform/route.ts';
import type { Storage } from '#server/platform/storage.ts';
import { acceptPhoto } from '../media/photos.ts';
import { deletePost } from './deletion.ts';
import * as likes from './likes.ts';
import * as posts from './posts.ts';

interface Settings {
  mediaOrigin: string;
  timeZone: string;
}

export function postsRoutes(
  db: Kysely<Tables>,
  storage: Storage,
  jobs: Pick<Jobs, 'send'>,
  clock: Clock,
  { mediaOrigin, timeZone }: Settings,
): Route[] {
  return [
    on(contract.getAllPosts, ({ query }) => posts.listPosts(db, query, mediaOrigin)),
    on(contract.getFriendPosts, ({ params, query, caller }) =>
      posts.listPostsOf(db, params.userId, caller, query, mediaOrigin),
    ),
    on(contract.getPost, async ({ params, caller }) => ({
      data: await posts.showPost(db, params.id, caller, mediaOrigin),
    })),
    on(contract.uploadPostPhoto, ({ caller, file }) =>
      acceptPhoto(db, storage, caller.id, file, mediaOrigin, clock()),
    ),
    on(contract.addPost, async ({ caller, body }) => {
      const now = clock();
      const id = await posts.publishPost(db, jobs, caller.id, body, now, timeZone);
      const data = await posts.showPost(db, id, caller, mediaOrigin);
      return { answer: { data }, changed: data.createdAt === now.toISOString() };
    }),
    on(contract.deletePost, async ({ caller, params }) => {
      const changed = await deletePost(db, storage, params.id, caller.id, clock(), timeZone);
      return { answer: {}, changed };
    }),
    on(likePost, ({ params, caller }) => likes.likePost(db, params.id, caller.id, clock(), timeZone)),
    on(unlikePost, ({ params, caller }) => likes.unlikePost(db, params.id, caller.id, clock(), timeZone)),
  ];
}
