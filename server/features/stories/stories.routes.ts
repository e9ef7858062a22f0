import * as contract from '#contract/stories.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import { acceptPhoto } from '../uploads/photos.ts';
import { deleteStory } from './deletion.ts';
import * as stories from './stories.ts';

export function storiesRoutes(context: Context): Route[] {
  return [
    on(contract.getAllStories, ({ query }) => stories.listStories(context, query)),
    on(contract.getFriendStories, ({ params, query, caller }) =>
      stories.listStoriesOf(context, params.userId, caller, query),
    ),
    on(contract.uploadStoryPhoto, ({ caller, file }) => acceptPhoto(context, caller.id, file)),
    on(contract.addStory, async ({ caller, body }) => {
      const form = { userId: body.userId, fileName: body.fileName, statusText: body.statustext };
      const { id, isNew } = await stories.publishStory(context, caller.id, form);
      return { answer: { data: await stories.showOwnStory(context, id) }, changed: isNew };
    }),
    on(contract.deleteStory, async ({ caller, params }) => {
      const changed = await deleteStory(context, params.id, caller.id);
      return { answer: {}, changed };
    }),
  ];
}
