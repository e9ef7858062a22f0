import type { Transaction } from 'kysely';
import { markRules } from '#contract/earning-rules.ts';
import { type FoundMark, type MonthMark, monthMark } from '#contract/operators.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { CountedMonth } from './closing.queries.ts';
import * as queries from './marks.queries.ts';

/*
 * Signs that a creator's month was forged (docs/decisions/0067-marks.md): four sums that are written with the month's result and shown to
 * operators beside its withdrawal. They do not change what a month pays: otherwise anyone could harm a creator by watching
 * the creator's reels.
 */

/** The marks of these creators of a closed month, by creator. */
export async function marksOfMonths(
  trx: Transaction<Tables>,
  rows: readonly CountedMonth[],
  which: { month: string; timeZone: string },
): Promise<Map<string, FoundMark[]>> {
  // Most months are too small for a mark, so their views and likes are not read.
  const idsFrom = (figure: 'views' | 'likes', least: number) =>
    rows.filter((row) => row[figure] >= least).map((row) => row.creator_id);
  const views = await queries.viewsOfFew(trx, idsFrom('views', markRules.few_viewers.least), which);
  const likes = await queries.likesOfFew(trx, idsFrom('likes', markRules.few_likers.least), which);
  return new Map(
    rows.map(({ creator_id, accounts, ofOneDay }) => {
      const sums = {
        ...views.get(creator_id),
        accounts_of_one_day: { found: ofOneDay, of: accounts },
        few_likers: likes.get(creator_id),
      };
      return [creator_id, marksOf(sums)];
    }),
  );
}

/** The marks that follow from these sums. */
export function marksOf(sums: { [mark in MonthMark]?: queries.Part | undefined }): FoundMark[] {
  return monthMark.options.flatMap((mark) => {
    const { found, of } = sums[mark] ?? { found: 0, of: 0 };
    const { least, share } = markRules[mark];
    return found >= least && found >= of * share ? [{ mark, found, of }] : [];
  });
}
