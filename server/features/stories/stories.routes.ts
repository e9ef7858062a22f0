import type { Kysely } from 'kysely';
import * as contract from '../../../contract/stories.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { on, type Route } from '../../platform/route.ts';
import { listStories, listStoriesOf } from './stories.ts';

export function storiesRoutes(db: Kysely<Tables>, clock: Clock, mediaOrigin: string): Route[] {
  return [
    on(contract.getAllStories, ({ query }) => listStories(db, query, mediaOrigin, clock())),
    on(contract.getFriendStories, ({ params, query, caller }) =>
      listStoriesOf(db, params.userId, caller, query, mediaOrigin, clock()),
    ),
  ];
}
