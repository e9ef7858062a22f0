import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { asResult } from './earnings.queries.ts';
import type { Result } from './results.ts';

export type ReleaseRow = Selectable<Tables['month_releases']>;

export type VoidRow = Selectable<Tables['month_voids']>;

/** Decisions of operators about views of a creator's months. */
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

/** Creators with views in a month that wait or waited for an operator, ordered by id. */
export async function listCreatorsAbove(db: Kysely<Tables>, month: string): Promise<string[]> {
  const rows = await db
    .selectFrom('month_results')
    .select('creator_id')
    .where('month', '=', month)
    .whereRef('views', '>', 'paid_views')
    .orderBy('creator_id')
    .execute();
  return rows.map(({ creator_id }) => creator_id);
}

/** Whether views wait in the month `m`, and nothing was decided about them. */
const isUndecided = sql`(m.views > m.paid_views
  and not exists (select from month_releases r where r.creator_id = m.creator_id and r.month = m.month)
  and not exists (
    select from month_voids v where v.creator_id = m.creator_id and v.month = m.month and v.what = 'waiting'))`;

/** Of these months, those in which views wait, by creator and month. */
export async function listUndecidedOf<Asked extends { creatorId: string; month: string }>(
  db: Kysely<Tables>,
  asked: readonly Asked[],
): Promise<(Asked & { result: Result })[]> {
  const { rows } = await sql<Tables['month_results'] & { place: number }>`
    select place::int, m.*
    from unnest(${asked.map((one) => one.creatorId)}::uuid[], ${asked.map((one) => one.month)}::text[])
      with ordinality asked(creator_id, month, place)
    join month_results m on m.creator_id = asked.creator_id and m.month = asked.month
    where ${isUndecided} order by m.creator_id, m.month, place`.execute(db);
  return rows.flatMap(({ place, ...row }) => {
    const one = asked[place - 1];
    return one ? [{ ...one, result: asResult(row) }] : [];
  });
}

export type UndecidedRow = Tables['month_results'] & {
  /** Null once the account is deleted. */
  name: string | null;
  username: string | null;
  look_asked_at: Date | null;
};

/** A page of months in which views wait, newest first. */
export async function listUndecided(
  db: Kysely<Tables>,
  limit: number,
  after: { month: string; id: string } | undefined,
): Promise<UndecidedRow[]> {
  const { rows } = await sql<UndecidedRow>`
    select m.*, p.name, p.username,
      (select max(asked_at) from month_looks l where l.creator_id = m.creator_id and l.month > m.month) as look_asked_at
    from month_results m left join people p on p.id = m.creator_id
    where ${isUndecided}
      and (${after?.month ?? null}::text is null or (m.month, m.creator_id) < (${after?.month ?? null}, ${after?.id ?? null}::uuid))
    order by m.month desc, m.creator_id desc limit ${limit}`.execute(db);
  return rows;
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

/** A page of all voids, by creator, month and kind. */
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
