import * as contract from '#contract/search.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import { search } from './search.ts';
import { showTag } from './tags.ts';
import { showTrending } from './trending.ts';

export function searchRoutes(context: Context<'db' | 'config' | 'clock'>): Route[] {
  return [
    on(contract.search, ({ query, caller }) => search(context, query, caller?.id)),
    on(contract.getTag, ({ params, query, caller }) => showTag(context, { ...query, ...params }, caller?.id)),
    on(contract.getTrending, ({ caller }) => showTrending(context, caller?.id)),
  ];
}
