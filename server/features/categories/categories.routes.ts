import { getCategoryCounts } from '#contract/categories.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import { countCategories } from './categories.ts';

export function categoriesRoutes({ db }: Context<'db'>): Route[] {
  return [on(getCategoryCounts, async () => ({ data: await countCategories(db) }))];
}
