import type { Kysely } from 'kysely';
import { getCategoryCounts } from '#contract/categories.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { on, type Route } from '#server/platform/route.ts';
import { countCategories } from './categories.ts';

export function categoriesRoutes(db: Kysely<Tables>): Route[] {
  return [on(getCategoryCounts, async () => ({ data: await countCategories(db) }))];
}
