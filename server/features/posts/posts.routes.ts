import { likePost, unlikePost } from '#contract/engagement.ts';
import * as contract from '#contract/posts.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import { acceptPhoto } from '../uploads/photos.ts';
import { deletePost } from './deletion.ts';
import * as likes from './likes.ts';
import * as posts from './posts.ts';

export function postsRoutes(context: Context): Route[] {
  return [
    on(contract.getAllPosts, ({ query }) => posts.listPosts(context, query)),
    on(contract.getFriendPosts, ({ params, query, caller }) =>
      posts.listPostsOf(context, params.userId, caller, query),
    ),
    on(contract.getPost, async ({ params, caller }) => ({
      data: await posts.showPost(context, params.id, caller),
    })),
    on(contract.uploadPostPhoto, ({ caller, file }) => acceptPhoto(context, caller.id, file)),
    on(contract.addPost, async ({ caller, body }) => {
      const { id, isNew } = await posts.publishPost(context, caller.id, body);
      return { answer: { data: await posts.showPost(context, id, caller) }, changed: isNew };
    }),
    on(contract.deletePost, async ({ caller, params }) => {
      const changed = await deletePost(context, params.id, caller.id);
      return { answer: {}, changed };
    }),
    on(likePost, ({ params, caller }) => likes.likePost(context, params.id, caller.id)),
    on(unlikePost, ({ params, caller }) => likes.unlikePost(context, params.id, caller.id)),
  ];
}
