import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import { rules } from '#contract/rates.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { MonthRow } from './earnings.queries.ts';

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

/** Creators with more views than this in a month, ordered by id. */
export async function listCreatorsAbove(db: Kysely<Tables>, month: string, views: number): Promise<string[]> {
  const rows = await db
    .selectFrom('creator_months')
    .select('creator_id')
    .where('month', '=', month)
    .where('views', '>', views)
    .orderBy('creator_id')
    .execute();
  return rows.map(({ creator_id }) => creator_id);
}

/** So many views of the month `m` pay without an established account. */
const payingAlone = sql.lit(rules.vouching.views);

/** Whether nothing was decided about the waiting views of the month `m`. */
const isUndecided = sql`
  not exists (select from month_releases r where r.creator_id = m.creator_id and r.month = m.month)
  and not exists (
    select from month_voids v where v.creator_id = m.creator_id and v.month = m.month and v.what = 'waiting')`;

/** Of these months, those with more views than pay without an established account, and no decision about them, by creator and month. */
export async function listUndecidedOf<Asked extends { creatorId: string; month: string }>(
  db: Kysely<Tables>,
  asked: readonly Asked[],
): Promise<(Asked & { counts: MonthRow })[]> {
  const { rows } = await sql<MonthRow & { place: number }>`
    select place::int, m.month, reels, posts, stories, views, likes
    from unnest(${asked.map((one) => one.creatorId)}::uuid[], ${asked.map((one) => one.month)}::text[])
      with ordinality asked(creator_id, month, place)
    join creator_months m on m.creator_id = asked.creator_id and m.month = asked.month
    where views > ${payingAlone} and ${isUndecided}
    order by m.creator_id, m.month, place`.execute(db);
  return rows.flatMap(({ place, ...counts }) => {
    const one = asked[place - 1];
    return one ? [{ ...one, counts }] : [];
  });
}

export interface UndecidedRow extends MonthRow {
  creator_id: string;
  /** Null once the account is deleted. */
  name: string | null;
  username: string | null;
  look_asked_at: Date | null;
}

/** A page of finished months with more views than pay without an established account, and no decision about them, newest first. */
export async function listUndecided(
  db: Kysely<Tables>,
  before: string,
  limit: number,
  after: { month: string; id: string } | undefined,
): Promise<UndecidedRow[]> {
  const { rows } = await sql<UndecidedRow>`
    select m.creator_id, m.month, reels, posts, stories, views, likes, p.name, p.username,
      (select max(asked_at) from month_looks l where l.creator_id = m.creator_id and l.month > m.month) as look_asked_at
    from creator_months m left join people p on p.id = m.creator_id
    where m.month < ${before} and views > ${payingAlone} and ${isUndecided}
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
