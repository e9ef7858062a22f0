import { likePost, unlikePost } from '#contract/engagement.ts';
import * as postsContract from '#contract/posts.ts';
import * as storiesContract from '#contract/stories.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import { copyOf } from '../copies/shown.ts';
import { acceptPhoto } from '../uploads/photos.ts';
import { deletePost, deleteStory } from './deletion.ts';
import { editPost } from './edit.ts';
import * as likes from './likes.ts';
import * as posts from './posts.ts';
import { listStoryPeople, markStorySeen, showStoryRow } from './seen-stories.ts';
import * as stories from './stories.ts';

export function postAndStoryRoutes(context: Context): Route[] {
  return [
    on(postsContract.getAllPosts, ({ query, caller }) => posts.listPosts(context, query, caller?.id)),
    on(postsContract.getFriendPosts, ({ params, query, caller }) =>
      posts.listPostsOf(context, params.userId, caller, query),
    ),
    on(postsContract.getPost, ({ params, caller }) => posts.showPostInOrder(context, params.id, caller)),
    on(postsContract.uploadPostPhoto, ({ caller, file }) => acceptPhoto(context, caller.id, file)),
    on(postsContract.addPost, async ({ caller, body }) => {
      const { id, isNew } = await posts.publishPost(context, caller.id, body);
      const answer = {
        data: await posts.showPost(context, id, caller),
        copy: await copyOf(context, caller.id, id),
      };
      return { answer, changed: isNew };
    }),
    on(postsContract.editPost, async ({ caller, params, body }) => {
      const changed = await editPost(context, params.id, caller.id, body);
      return { answer: { data: await posts.showPost(context, params.id, caller) }, changed };
    }),
    on(postsContract.deletePost, async ({ caller, params }) => {
      const changed = await deletePost(context, params.id, caller.id);
      return { answer: {}, changed };
    }),
    on(likePost, ({ params, caller }) => likes.likePost(context, params.id, caller.id)),
    on(unlikePost, ({ params, caller }) => likes.unlikePost(context, params.id, caller.id)),
    on(storiesContract.getAllStories, ({ query, caller }) => stories.listStories(context, query, caller?.id)),
    on(storiesContract.getStoryPeople, ({ query, caller }) => listStoryPeople(context, query, caller?.id)),
    on(storiesContract.getStoryRow, ({ caller }) => showStoryRow(context, caller.id)),
    on(storiesContract.markStorySeen, ({ params, caller }) => markStorySeen(context, params.id, caller.id)),
    on(storiesContract.getFriendStories, ({ params, query, caller }) =>
      stories.listStoriesOf(context, params.userId, caller, query),
    ),
    on(storiesContract.uploadStoryPhoto, ({ caller, file }) => acceptPhoto(context, caller.id, file)),
    on(storiesContract.addStory, async ({ caller, body }) => {
      const form = { userId: body.userId, fileName: body.fileName, statusText: body.statustext };
      const { id, isNew } = await stories.publishStory(context, caller.id, form);
      const answer = {
        data: await stories.showOwnStory(context, id),
        copy: await copyOf(context, caller.id, id),
      };
      return { answer, changed: isNew };
    }),
    on(storiesContract.deleteStory, async ({ caller, params }) => {
      const changed = await deleteStory(context, params.id, caller.id);
      return { answer: {}, changed };
    }),
  ];
}
