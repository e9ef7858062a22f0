import type { Kysely } from 'kysely';
import * as contract from '#contract/stories.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Jobs } from '#server/platform/jobs.ts';
import { on, type Route } from '#server/platform/route.ts';
import type { Storage } from '#server/platform/storage.ts';
import { acceptPhoto } from '../media/photos.ts';
import { deleteStory } from './deletion.ts';
import * as stories from './stories.ts';

interface Settings {
  mediaOrigin: string;
  timeZone: string;
}

export function storiesRoutes(
  db: Kysely<Tables>,
  storage: Storage,
  jobs: Pick<Jobs, 'send'>,
  clock: Clock,
  { mediaOrigin, timeZone }: Settings,
): Route[] {
  return [
    on(contract.getAllStories, ({ query }) => stories.listStories(db, query, mediaOrigin, clock())),
    on(contract.getFriendStories, ({ params, query, caller }) =>
      stories.listStoriesOf(db, params.userId, caller, query, mediaOrigin, clock()),
    ),
    on(contract.uploadStoryPhoto, ({ caller, file }) =>
      acceptPhoto(db, storage, caller.id, file, mediaOrigin, clock()),
    ),
    on(contract.addStory, async ({ caller, body }) => {
      const form = { userId: body.userId, fileName: body.fileName, statusText: body.statustext };
      const now = clock();
      const id = await stories.publishStory(db, jobs, caller.id, form, now, timeZone);
      const data = await stories.showOwnStory(db, id, mediaOrigin, now);
      return { answer: { data }, changed: data.createdAt === now.toISOString() };
    }),
    on(contract.deleteStory, async ({ caller, params }) => {
      const changed = await deleteStory(db, storage, params.id, caller.id, clock(), timeZone);
      return { answer: {}, changed };
    }),
  ];
}
