import type { Kysely } from 'kysely';
import { getAllUsers, getUser } from '#contract/people.ts';
import * as profileContract from '#contract/profile.ts';
import * as relationsContract from '#contract/relations.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { on, type Route } from '#server/platform/route.ts';
import type { Storage } from '#server/platform/storage.ts';
import { block, unblock } from './blocks.ts';
import * as follows from './follows.ts';
import { listPeople, showPerson, showSelf } from './people.ts';
import { editProfile, removePhoto, setPhoto } from './profile.ts';

export function peopleRoutes(
  db: Kysely<Tables>,
  storage: Storage,
  clock: Clock,
  mediaOrigin: string,
): Route[] {
  return [
    on(getUser, async ({ params }) => ({ data: await showPerson(db, params.id, mediaOrigin) })),
    on(getAllUsers, ({ query }) => listPeople(db, query, mediaOrigin)),
    ...relationsRoutes(db, clock, mediaOrigin),
    ...profileRoutes(db, storage, clock, mediaOrigin),
  ];
}

function relationsRoutes(db: Kysely<Tables>, clock: Clock, mediaOrigin: string): Route[] {
  return [
    on(relationsContract.follow, ({ params, caller }) =>
      follows.follow(db, caller.id, params.userId, clock()),
    ),
    on(relationsContract.unfollow, ({ params, caller }) => follows.unfollow(db, caller.id, params.userId)),
    on(relationsContract.getFollowers, ({ params, query }) =>
      follows.listRelated(db, 'followers', params.userId, query, mediaOrigin),
    ),
    on(relationsContract.getFollowing, ({ params, query }) =>
      follows.listRelated(db, 'following', params.userId, query, mediaOrigin),
    ),
    on(relationsContract.block, async ({ params, caller }) => {
      await block(db, caller.id, params.userId, clock());
      return {};
    }),
    on(relationsContract.unblock, async ({ params, caller }) => {
      await unblock(db, caller.id, params.userId);
      return {};
    }),
    on(relationsContract.getBlocked, ({ query, caller }) =>
      follows.listRelated(db, 'blocked', caller.id, query, mediaOrigin),
    ),
  ];
}

function profileRoutes(db: Kysely<Tables>, storage: Storage, clock: Clock, mediaOrigin: string): Route[] {
  const self = async (id: string) => ({ user: await showSelf(db, id, mediaOrigin) });
  return [
    on(profileContract.editProfile, async ({ body, caller }) => {
      const changed = await editProfile(db, caller.id, body);
      return { answer: await self(caller.id), changed };
    }),
    on(profileContract.setPhoto, async ({ file, caller }) => {
      await setPhoto(db, storage, caller.id, file, clock());
      return { answer: await self(caller.id), changed: true };
    }),
    on(profileContract.removePhoto, async ({ caller }) => {
      const changed = await removePhoto(db, storage, caller.id);
      return { answer: await self(caller.id), changed };
    }),
  ];
}
