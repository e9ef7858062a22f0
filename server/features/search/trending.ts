import { categoryOf } from '#contract/categories.ts';
import { trendFrom } from '#contract/search.ts';
import type { Context } from '#server/platform/context.ts';
import * as queries from './search.queries.ts';

const day = 24 * 60 * 60 * 1000;
const most = 12;

/** What many people published with in the last 24 hours, counted from what is public now. */
export async function showTrending({ db, clock }: Context<'db' | 'clock'>, viewerId?: string) {
  const ofDay = { since: new Date(clock().getTime() - day), viewerId, people: trendFrom, most };
  const { trends, categories, rows } = await queries.searching(db, async (trx) => {
    const trends = await queries.listTrendingTags(trx, ofDay);
    const ids = trends.map(({ id }) => id);
    return {
      trends,
      categories: await queries.listTrendingCategories(trx, ofDay),
      rows: await queries.tagsByIds(trx, viewerId, ids),
    };
  });
  const tags = new Map(rows.map(({ id, ...tag }) => [id, tag]));
  return {
    tags: trends.flatMap(({ id, people }) => {
      const tag = tags.get(id);
      return tag ? [{ ...tag, people }] : [];
    }),
    categories: categories.flatMap(({ id, people }) => {
      const category = categoryOf(id);
      return category ? [{ ...category, people }] : [];
    }),
  };
}
