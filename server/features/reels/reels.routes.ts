import type { Kysely } from 'kysely';
import * as contract from '../../../contract/reels.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Jobs } from '../../platform/jobs.ts';
import { on, type Route } from '../../platform/route.ts';
import type { Storage } from '../../platform/storage.ts';
import { acceptReelFile } from '../media/uploads.ts';
import { deleteReel } from './deletion.ts';
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
      await deleteReel(db, storage, params.id, caller.id, clock(), timeZone);
      return {};
    }),
  ];
}
