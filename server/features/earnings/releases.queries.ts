import type { Insertable, Kysely, Selectable } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export type ReleaseRow = Selectable<Tables['month_releases']>;

export type VoidRow = Selectable<Tables['month_voids']>;

/** What operators decided about views of a creator's months. */
export interface Decided {
  releases: readonly ReleaseRow[];
  voids: readonly VoidRow[];
}

export async function listDecided(db: Kysely<Tables>, creatorId: string): Promise<Decided> {
  const releases = await db
    .selectFrom('month_releases')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .orderBy('month')
    .execute();
  const voids = await db
    .selectFrom('month_voids')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .orderBy('month')
    .orderBy('what')
    .execute();
  return { releases, voids };
}

export async function insertRelease(
  db: Kysely<Tables>,
  release: Insertable<Tables['month_releases']>,
): Promise<void> {
  await db.insertInto('month_releases').values(release).execute();
}

export async function insertVoid(db: Kysely<Tables>, row: Insertable<Tables['month_voids']>): Promise<void> {
  await db.insertInto('month_voids').values(row).execute();
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

/** A page of all voids, by creator, month and what they are about. */
export function voidsAfter(
  db: Kysely<Tables>,
  after: VoidRow | undefined,
  limit: number,
): Promise<VoidRow[]> {
  let query = db
    .selectFrom('month_voids')
    .selectAll()
    .orderBy('creator_id')
    .orderBy('month')
    .orderBy('what')
    .limit(limit);
  if (after)
    query = query.where((eb) =>
      eb(
        eb.refTuple('creator_id', 'month', 'what'),
        '>',
        eb.tuple(after.creator_id, after.month, after.what),
      ),
    );
  return query.execute();
}
