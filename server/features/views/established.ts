import { type Kysely, sql } from 'kysely';
import { rules } from '#contract/earning-rules.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/** A watched view of a signed-in person. */
export interface SignedInView {
  creatorId: string;
  personId: string;
  /** In hex. */
  viewer: string;
  day: string;
}

const { views, creators, watchedDays } = rules.established;

/** Whether the row `v` of `viewer_months` watched enough. */
const isActive = sql`(v.views >= ${sql.lit(views)}
  and bit_count(v.days::bit(32)) >= ${sql.lit(watchedDays)} and v.creators >= ${sql.lit(creators)})`;

/**
 * Adds watched views to the rows that make accounts established, in the transaction that has locked the clocks of these viewers, so that no
 * other transaction adds to them.
 */
export async function addSignedInViews(db: Kysely<Tables>, views: readonly SignedInView[]): Promise<void> {
  if (views.length === 0) return;
  const firsts = await insertCreatorViewers(db, views);
  const column = (name: keyof SignedInView) => views.map((view) => view[name]);
  await sql`
    with added as (
      select viewer, person_id, month, count(*)::int as views, bit_or(1 << (extract(day from day)::int - 1)) as days from (
        select person_id, decode(hex, 'hex') as viewer, day, to_char(day, 'YYYY-MM') as month
        from unnest(${column('personId')}::uuid[], ${column('viewer')}::text[], ${column('day')}::date[]) seen(person_id, hex, day)
      ) seen group by viewer, person_id, month
    ),
    first as (
      select decode(hex, 'hex') as viewer, month, count(*)::int as creators
      from unnest(${firsts.map(({ viewer }) => viewer)}::text[], ${firsts.map(({ month }) => month)}::text[]) f(hex, month)
      group by 1, 2
    ),
    v as (
      insert into viewer_months as v (viewer, month, views, creators, days)
      select viewer, month, views, coalesce(creators, 0), days from added left join first using (viewer, month) order by viewer
      on conflict (month, viewer) do update set views = v.views + excluded.views, creators = v.creators + excluded.creators,
        days = v.days | excluded.days
      returning *
    )
    insert into active_people (month, person_id)
    select v.month, person_id from v join added using (month, viewer) where ${isActive} order by person_id
    on conflict do nothing`.execute(db);
}

/** Stores who watched whom in a month; returns the viewers, in hex, and months of what was not stored before. */
async function insertCreatorViewers(
  db: Kysely<Tables>,
  views: readonly SignedInView[],
): Promise<{ viewer: string; month: string }[]> {
  const column = (name: keyof SignedInView) => views.map((view) => view[name]);
  const { rows } = await sql<{ viewer: string; month: string }>`
    insert into creator_viewers (creator_id, month, viewer)
    select distinct creator_id, to_char(day, 'YYYY-MM'), decode(hex, 'hex')
    from unnest(${column('creatorId')}::uuid[], ${column('day')}::date[], ${column('viewer')}::text[]) seen(creator_id, day, hex)
    on conflict do nothing returning encode(viewer, 'hex') as viewer, month`.execute(db);
  return rows;
}

/** Those of these viewers, in hex, that watched enough in a month, and how many creators each of them watched. */
export async function findActive(
  db: Kysely<Tables>,
  month: string,
  viewers: readonly string[],
): Promise<{ viewer: string; creators: number }[]> {
  const { rows } = await sql<{ viewer: string; creators: number }>`
    select hex as viewer, v.creators from unnest(${viewers}::text[]) hex
    join viewer_months v on v.month = ${month} and v.viewer = decode(hex, 'hex')
    where ${isActive}`.execute(db);
  return rows;
}

/** How many viewers watched enough, by month. */
export async function countActive(db: Kysely<Tables>): Promise<{ month: string; viewers: number }[]> {
  const { rows } = await sql<{ month: string; viewers: number }>`
    select month, count(*)::int as viewers from viewer_months v where ${isActive} group by month`.execute(db);
  return rows;
}

/** How many accounts, established or not, watched a creator in a month; stops counting at `atMost`. */
export async function countViewers(
  db: Kysely<Tables>,
  { creatorId, month }: { creatorId: string; month: string },
  atMost: number,
): Promise<number> {
  const { rows } = await sql<{ accounts: number }>`
    select count(*)::int as accounts from (
      select from creator_viewers where creator_id = ${creatorId} and month = ${month} limit ${atMost}
    ) account`.execute(db);
  return rows[0]?.accounts ?? 0;
}

/** How many views an established account lets pay in a month: of each creator that it watched, and of all together. */
export interface AccountLimits {
  viewsPerCreator: number;
  viewsInAll: number;
}

/** How many accounts that watched enough in a month watched this creator, and how many views they would let pay. */
export async function sumOfActive(
  db: Kysely<Tables>,
  { creatorId, month }: { creatorId: string; month: string },
  { viewsPerCreator, viewsInAll }: AccountLimits,
): Promise<{ accounts: number; accountViews: number }> {
  const { rows } = await sql<{ accounts: number; accountViews: number }>`
    select count(*)::int as accounts,
      coalesce(sum(least(${viewsPerCreator}::int, ${viewsInAll}::int / v.creators)), 0)::bigint as "accountViews"
    from creator_viewers c join viewer_months v on v.month = c.month and v.viewer = c.viewer
    where c.creator_id = ${creatorId} and c.month = ${month} and ${isActive}`.execute(db);
  return rows[0] ?? { accounts: 0, accountViews: 0 };
}
