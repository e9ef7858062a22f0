import type { Kysely } from 'kysely';
import * as captionsContract from '#contract/captions.ts';
import * as contract from '#contract/reels.ts';
import * as responsesContract from '#contract/responses.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Jobs } from '#server/platform/jobs.ts';
import { on, type Route } from '#server/platform/route.ts';
import type { Storage } from '#server/platform/storage.ts';
import { acceptReelFile } from '../media/uploads.ts';
import { removeCaptions, setCaptions } from './captions.ts';
import { deleteReel } from './deletion.ts';
import * as reels from './reels.ts';
import * as responses from './responses.ts';

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
    ...responsesRoutes(db, clock, { mediaOrigin, timeZone }),
  ];
}

function responsesRoutes(db: Kysely<Tables>, clock: Clock, { mediaOrigin, timeZone }: Settings): Route[] {
  return [
    on(responsesContract.likeReel, ({ params, caller }) =>
      responses.likeReel(db, params.id, caller.id, clock(), timeZone),
    ),
    on(responsesContract.unlikeReel, ({ params, caller }) => responses.unlikeReel(db, params.id, caller.id)),
    on(responsesContract.getLiked, async ({ body, caller }) => ({
      data: await responses.likedOf(db, caller.id, body.ids),
    })),
    on(responsesContract.getComments, ({ params, query }) =>
      responses.listComments(db, params.id, query, mediaOrigin),
    ),
    on(responsesContract.addComment, ({ params, body, caller }) =>
      responses.commentOnReel(db, params.id, caller.id, body, mediaOrigin, clock()),
    ),
    on(responsesContract.deleteComment, async ({ params, caller }) => {
      await responses.deleteComment(db, params.id, caller.id);
      return {};
    }),
    on(responsesContract.shareReel, ({ params, caller }) =>
      responses.shareReel(db, params.id, caller.id, clock()),
    ),
  ];
}
