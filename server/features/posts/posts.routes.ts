import type { Kysely } from 'kysely';
import * as contract from '../../../contract/posts.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { on, type Route } from '../../platform/route.ts';
import { listPosts } from './posts.ts';

export function postsRoutes(db: Kysely<Tables>, mediaOrigin: string): Route[] {
  return [
    on(contract.getAllPosts, ({ query }) => listPosts(db, undefined, query, mediaOrigin)),
    on(contract.getFriendPosts, ({ params, query }) => listPosts(db, params.userId, query, mediaOrigin)),
  ];
}
