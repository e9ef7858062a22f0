import type { Insertable, Kysely, Selectable } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export type ReleaseRow = Selectable<Tables['month_releases']>;

/** All releases of a creator's months. */
export function listReleases(db: Kysely<Tables>, creatorId: string): Promise<ReleaseRow[]> {
  return db.selectFrom('month_releases').selectAll().where('creator_id', '=', creatorId).execute();
}

/** Of several operators at once, the first one releases a month. Returns whether this was it. */
export async function insertRelease(
  db: Kysely<Tables>,
  release: Insertable<Tables['month_releases']>,
): Promise<boolean> {
  const stored = await db
    .insertInto('month_releases')
    .values(release)
    .onConflict((conflict) => conflict.doNothing())
    .returning('creator_id')
    .executeTakeFirst();
  return stored !== undefined;
}

/** Creators with so many views in a month, in the order of their ids. */
export async function listCreatorsOver(db: Kysely<Tables>, month: string, views: number): Promise<string[]> {
  const rows = await db
    .selectFrom('creator_months')
    .select('creator_id')
    .where('month', '=', month)
    .where('views', '>', views)
    .orderBy('creator_id')
    .execute();
  return rows.map(({ creator_id }) => creator_id);
}

/** A page of all releases, by creator and month. */
export function releasesAfter(
  db: Kysely<Tables>,
  after: { creatorId: string; month: string } | undefined,
  limit: number,
): Promise<ReleaseRow[]> {
  let query = db.selectFrom('month_releases').selectAll().orderBy('creator_id').orderBy('month').limit(limit);
  if (after)
    query = query.where((eb) =>
      eb(eb.refTuple('creator_id', 'month'), '>', eb.tuple(after.creatorId, after.month)),
    );
  return query.execute();
}
