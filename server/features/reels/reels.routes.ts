import type { Kysely } from 'kysely';
import * as captionsContract from '#contract/captions.ts';
import * as engagementContract from '#contract/engagement.ts';
import * as contract from '#contract/reels.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Jobs } from '#server/platform/jobs.ts';
import { on, type Route } from '#server/platform/route.ts';
import type { Storage } from '#server/platform/storage.ts';
import { acceptReelFile } from '../media/uploads.ts';
import { removeCaptions, setCaptions } from './captions.ts';
import { deleteReel } from './deletion.ts';
import * as engagement from './engagement.ts';
import * as reels from './reels.ts';

interface Settings {
  mediaOrigin: string;
  timeZone: string;
}

export function reelsRoutes(
  db: Kysely<Tables>,
  storage: Storage,
  jobs: Jobs,
  clock: Clock,
  { mediaOrigin, timeZone }: Settings,
): Route[] {
  return [
    on(contract.getAllReels, ({ query }) => reels.listReels(db, query, mediaOrigin)),
    on(contract.getReel, async ({ params, caller }) => ({
      data: await reels.showReel(db, params.id, caller, mediaOrigin),
    })),
    on(contract.getFriendReels, ({ params, query, caller }) =>
      reels.listReelsOf(db, params.userId, caller, query, mediaOrigin),
    ),
    on(contract.uploadReelFile, ({ caller, file }) =>
      acceptReelFile(db, storage, caller.id, file, mediaOrigin, clock()),
    ),
    on(contract.addReel, async ({ caller, body }) => ({
      data: await reels.publishReel(db, jobs, caller.id, body, mediaOrigin, clock()),
    })),
    on(contract.deleteReel, async ({ caller, params }) => {
      const changed = await deleteReel(db, storage, params.id, caller.id, clock(), timeZone);
      return { answer: {}, changed };
    }),
    on(captionsContract.setCaptions, async ({ caller, params: { id, language }, file }) => ({
      data: await setCaptions(
        db,
        storage,
        { reelId: id, language, callerId: caller.id },
        file,
        mediaOrigin,
        clock(),
      ),
    })),
    on(captionsContract.removeCaptions, async ({ caller, params: { id, language } }) => ({
      data: await removeCaptions(db, storage, { reelId: id, language, callerId: caller.id }, mediaOrigin),
    })),
    ...engagementRoutes(db, clock, { mediaOrigin, timeZone }),
  ];
}

function engagementRoutes(db: Kysely<Tables>, clock: Clock, { mediaOrigin, timeZone }: Settings): Route[] {
  return [
    on(engagementContract.likeReel, ({ params, caller }) =>
      engagement.likeReel(db, params.id, caller.id, clock(), timeZone),
    ),
    on(engagementContract.unlikeReel, ({ params, caller }) =>
      engagement.unlikeReel(db, params.id, caller.id),
    ),
    on(engagementContract.getLiked, async ({ body, caller }) => ({
      data: await engagement.likedOf(db, caller.id, body.ids),
    })),
    on(engagementContract.getComments, ({ params, query }) =>
      engagement.listComments(db, params.id, query, mediaOrigin),
    ),
    on(engagementContract.addComment, ({ params, body, caller }) =>
      engagement.commentOnReel(db, params.id, caller.id, body, mediaOrigin, clock()),
    ),
    on(engagementContract.deleteComment, async ({ params, caller }) => {
      await engagement.deleteComment(db, params.id, caller.id);
      return {};
    }),
    on(engagementContract.shareReel, ({ params, caller }) =>
      engagement.shareReel(db, params.id, caller.id, clock()),
    ),
  ];
}
