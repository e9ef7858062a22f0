import * as captionsContract from '#contract/captions.ts';
import * as engagementContract from '#contract/engagement.ts';
import * as contract from '#contract/reels.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import { copyOf } from '../copies/shown.ts';
import { acceptReelFile } from '../uploads/uploads.ts';
import { removeCaptions, setCaptions } from './captions.ts';
import { deleteReel } from './deletion.ts';
import { editReel } from './edit.ts';
import * as engagement from './engagement.ts';
import * as reels from './reels.ts';

export function reelsRoutes(context: Context): Route[] {
  return [
    on(contract.getAllReels, ({ query, caller }) => reels.listReels(context, query, caller?.id)),
    on(contract.getReel, async ({ params, caller }) => {
      const data = await reels.showReel(context, params.id, caller);
      const isOwn = caller?.id === data.userId;
      return { data, copy: isOwn ? await copyOf(context, data.userId, data._id) : null };
    }),
    on(contract.getFriendReels, ({ params, query, caller }) =>
      reels.listReelsOf(context, params.userId, caller, query),
    ),
    on(contract.uploadReelFile, ({ caller, file }) => acceptReelFile(context, caller.id, file)),
    on(contract.addReel, async ({ caller, body }) => ({
      data: await reels.publishReel(context, caller.id, body),
    })),
    on(contract.editReel, async ({ caller, params, body }) => {
      const changed = await editReel(context, { reelId: params.id, callerId: caller.id }, body);
      return { answer: { data: await reels.showReel(context, params.id, caller) }, changed };
    }),
    on(contract.deleteReel, async ({ caller, params }) => {
      const changed = await deleteReel(context, params.id, caller.id);
      return { answer: {}, changed };
    }),
    on(captionsContract.setCaptions, async ({ caller, params: { id, language }, file }) => ({
      data: await setCaptions(context, { reelId: id, language, callerId: caller.id }, file),
    })),
    on(captionsContract.removeCaptions, async ({ caller, params: { id, language } }) => ({
      data: await removeCaptions(context, { reelId: id, language, callerId: caller.id }),
    })),
    ...engagementRoutes(context),
  ];
}

function engagementRoutes(context: Context): Route[] {
  const { db } = context;
  return [
    on(engagementContract.likeReel, ({ params, caller }) =>
      engagement.likeReel(context, params.id, caller.id),
    ),
    on(engagementContract.unlikeReel, ({ params, caller }) =>
      engagement.unlikeReel(db, params.id, caller.id),
    ),
    on(engagementContract.getLiked, async ({ body, caller }) => ({
      data: await engagement.likedOf(db, caller.id, body.ids),
    })),
    on(engagementContract.getComments, ({ params, query, caller }) =>
      engagement.listComments(context, params.id, query, caller?.id),
    ),
    on(engagementContract.addComment, ({ params, body, caller }) =>
      engagement.commentOnReel(context, params.id, caller.id, body),
    ),
    on(engagementContract.deleteComment, async ({ params, caller }) => {
      await engagement.deleteComment(db, params.id, caller.id);
      return {};
    }),
    on(engagementContract.shareReel, ({ params, caller }) =>
      engagement.shareReel(context, params.id, caller.id),
    ),
  ];
}
