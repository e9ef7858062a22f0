import { setLanguage as setMailLanguage } from '#contract/mail-language.ts';
import { getAllUsers, getUser } from '#contract/people.ts';
import * as profileContract from '#contract/profile.ts';
import * as relationsContract from '#contract/relations.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import { block, listBlocked, unblock } from './blocks.ts';
import * as follows from './follows.ts';
import { listPeople, showPerson, showSelf } from './people.ts';
import { editProfile, removePhoto, setLanguage, setPhoto } from './profile.ts';

export function peopleRoutes(context: Context, notify: follows.NotifyFollowed): Route[] {
  return [
    on(getUser, async ({ params, caller }) => ({ data: await showPerson(context, params.id, caller?.id) })),
    on(getAllUsers, ({ query, caller }) => listPeople(context, query, caller?.id)),
    ...relationsRoutes(context, notify),
    ...profileRoutes(context),
  ];
}

function relationsRoutes(context: Context, notify: follows.NotifyFollowed): Route[] {
  return [
    on(relationsContract.follow, ({ params, caller }) =>
      follows.follow(context, caller.id, params.userId, notify),
    ),
    on(relationsContract.unfollow, ({ params, caller }) =>
      follows.unfollow(context.db, caller.id, params.userId),
    ),
    on(relationsContract.getFollowed, async ({ body, caller }) => ({
      data: await follows.followedOf(context.db, caller.id, body.ids),
    })),
    on(relationsContract.getFollowers, ({ params, query, caller }) =>
      follows.listFollows(context, { list: 'followers', personId: params.userId }, query, caller?.id),
    ),
    on(relationsContract.getFollowing, ({ params, query, caller }) =>
      follows.listFollows(context, { list: 'following', personId: params.userId }, query, caller?.id),
    ),
    on(relationsContract.block, async ({ params, caller }) => {
      await block(context, caller.id, params.userId);
      return {};
    }),
    on(relationsContract.unblock, async ({ params, caller }) => {
      await unblock(context.db, caller.id, params.userId);
      return {};
    }),
    on(relationsContract.getBlocked, ({ query, caller }) => listBlocked(context, caller.id, query)),
  ];
}

function profileRoutes(context: Context): Route[] {
  const self = async (id: string) => ({ user: await showSelf(context, id) });
  return [
    on(profileContract.editProfile, async ({ body, caller }) => {
      const changed = await editProfile(context.db, caller.id, body);
      return { answer: await self(caller.id), changed };
    }),
    on(setMailLanguage, async ({ body, caller }) => {
      await setLanguage(context.db, caller.id, body.language);
      return {};
    }),
    on(profileContract.setPhoto, async ({ file, caller }) => {
      await setPhoto(context, caller.id, file);
      return { answer: await self(caller.id), changed: true };
    }),
    on(profileContract.removePhoto, async ({ caller }) => {
      const changed = await removePhoto(context, caller.id);
      return { answer: await self(caller.id), changed };
    }),
  ];
}
