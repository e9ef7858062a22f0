import { type RawBuilder, sql } from 'kysely';

/**
 * The condition by which a query leaves people out: neither the viewer nor the person in this column has blocked the other. Visitors
 * (undefined) see everybody; in a query about several viewers, the viewer is an expression. It is part of the query, so that a page of a list is as long as without blocks;
 * that is why the one piece of SQL that all features share stands here, although `blocks` belongs to `people`.
 */
export function notBlocked(
  viewer: string | RawBuilder<string> | undefined,
  personColumn: string,
): RawBuilder<boolean> {
  if (viewer === undefined) return sql`true`;
  const person = sql.ref(personColumn);
  return sql`(not exists (select from blocks where blocker_id = ${viewer} and blocked_id = ${person})
    and not exists (select from blocks where blocker_id = ${person} and blocked_id = ${viewer}))`;
}

/** A query of the ids that `notBlocked` excludes: cheaper than the condition where a query checks many rows. */
export const blockedPeople = (viewer: string | undefined): RawBuilder<{ id: string }> =>
  viewer === undefined
    ? sql`select null::uuid where false`
    : sql`select blocked_id from blocks where blocker_id = ${viewer} union all select blocker_id from blocks where blocked_id = ${viewer}`;
