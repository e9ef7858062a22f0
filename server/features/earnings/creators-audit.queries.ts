import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { type MonthCounts, rules } from '#contract/earning-rules.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { CountedMonth } from '../months/closing.ts';
import { type Compared, differing, neededSeconds, rounding } from './audit.queries.ts';

/** A range of creators by id, as the condition that a column of their ids meets. */
export type Creators = (column: string) => RawBuilder<boolean>;

/** Those after one id, up to and with another one; both ends may be open. */
export const creatorsBetween =
  (after: string | undefined, upTo: string | undefined): Creators =>
  (column) =>
    sql<boolean>`(${after ? sql`${sql.ref(column)} > ${after}::uuid` : sql`true`}
      and ${upTo ? sql`${sql.ref(column)} <= ${upTo}::uuid` : sql`true`})`;

export const onlyCreator =
  (id: string): Creators =>
  (column) =>
    sql<boolean>`(${sql.ref(column)} = ${id}::uuid)`;

/** Locks all months of a creator against changes until the transaction ends. */
export async function keepMonths(trx: Kysely<Tables>, creatorId: string): Promise<void> {
  await trx
    .selectFrom('creator_months')
    .select('month')
    .where('creator_id', '=', creatorId)
    .orderBy('month')
    .forShare()
    .execute();
}

/** The last of so many creators with a month, after one id; undefined if there are fewer. */
export async function lastOfNext(
  db: Kysely<Tables>,
  after: string | undefined,
  many: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ creator_id: string }>`
    select distinct creator_id from creator_months where ${creatorsBetween(after, undefined)('creator_id')}
    order by creator_id offset ${many - 1} limit 1`.execute(db);
  return rows[0]?.creator_id;
}

/** Works of these creators that were found to be their own after a month was closed, with this month. */
export async function listAdjustedWorks(db: Kysely<Tables>, creators: Creators): Promise<Asked['adjusted']> {
  const { rows } = await sql<{ workId: string; month: string }>`
    select work_id as "workId", month from adjustments where work_id is not null and ${creators('creator_id')}`.execute(
    db,
  );
  return rows;
}

/** Those of these creators who have adjustments. */
export async function creatorsWithAdjustments(db: Kysely<Tables>, creators: Creators): Promise<string[]> {
  const { rows } = await sql<{ creator_id: string }>`
    select distinct creator_id from adjustments where ${creators('creator_id')} order by 1`.execute(db);
  return rows.map((row) => row.creator_id);
}

/** What the audit of a range of creators asks for. */
export interface Asked {
  creators: Creators;
  timeZone: string;
  /** Months whose single views are deleted. */
  withoutViews: readonly string[];
  /** Works that count in a month by an adjustment, so that the month itself is without them. */
  adjusted: readonly { workId: string; month: string }[];
}

/** A difference that the audit found, with the creator's id. */
export type ComparedOf = Compared & { creator: string };

/** Rows of creator, owner, month and figure for which the recorded and the derived count differ. */
const differingOf = (db: Kysely<Tables>, recorded: RawBuilder<unknown>, derived: RawBuilder<unknown>) =>
  differing<ComparedOf>(db, { recorded, derived }, sql`creator, owner`);

/** The watched views of these creators that count. */
const countedViews = ({ creators }: Asked) =>
  sql`(select * from views where verdict = 'counted' and ${creators('creator_id')})`;

const daysOf = ({ creators }: Asked) => sql`(select * from reel_days where ${creators('creator_id')})`;

/** The month of the day in a row `v` of `views`, or `d` of `reel_days`. */
const viewCountsIn = sql`to_char(v.day, 'YYYY-MM')`;
const dayCountsIn = sql`to_char(d.day, 'YYYY-MM')`;

/** Whether the single views of a month still exist. */
const hasViews = ({ withoutViews }: Pick<Asked, 'withoutViews'>, month: RawBuilder<unknown>) =>
  sql<boolean>`(not (${month} = any(${withoutViews}::text[])))`;

const figures = ['reels', 'posts', 'stories', 'views', 'likes'] as const satisfies (keyof MonthCounts)[];

/** Whether a work counts in a month by an adjustment. */
const isAdjusted = ({ adjusted }: Asked, workId: string, month: RawBuilder<unknown>) =>
  sql<boolean>`((${sql.ref(workId)}, ${month}) in (
    select * from unnest(${adjusted.map(({ workId }) => workId)}::uuid[], ${adjusted.map(({ month }) => month)}::text[])))`;

/**
 * Derives the months of creators from events and returns those that differ from the recorded ones. A reel, post
 * or story deleted in the month of its publication takes its views and likes with it (decisions §4). A like undone in
 * its month counts nowhere; duplicates and likes of own posts do not count.
 */
export async function differingMonths(db: Kysely<Tables>, asked: Asked): Promise<ComparedOf[]> {
  const { creators, timeZone } = asked;
  const month = (column: string) => sql`to_char(${sql.ref(column)} at time zone ${timeZone}, 'YYYY-MM')`;
  const isDeleted = (table: string) =>
    sql`coalesce(${month(`${table}.published_at`)} = ${month(`${table}.deleted_at`)}, false)`;
  const published = (table: string, figure: string, pays = sql`true`) => sql`
    select creator_id, ${month(`${table}.published_at`)} as month, ${sql.lit(figure)} as figure, count(*) as count
    from ${sql.ref(table)} where ${creators('creator_id')} and published_at is not null and not duplicate and ${pays} and not ${isDeleted(table)}
      and not ${isAdjusted(asked, `${table}.id`, month(`${table}.published_at`))}
    group by 1, 2`;
  const likedIn = month('l.liked_at');
  const goneReels = sql`(
    select creator_id, id, ${month('r.published_at')} as month from reels r where ${creators('r.creator_id')} and ${isDeleted('r')})`;
  const recorded = sql.join(
    figures.map(
      (figure) => sql`
        select creator_id as creator, creator_id, month, ${sql.lit(figure)} as figure, ${sql.ref(figure)}::bigint as count
        from creator_months where ${creators('creator_id')}`,
    ),
    sql` union all `,
  );
  const derived = sql`
    select creator_id as creator, events.* from (
      ${published('reels', 'reels', sql`unpaid is null`)} union all ${published('posts', 'posts')}
      union all ${published('stories', 'stories')}
      union all
      select v.creator_id, ${viewCountsIn}, 'views', count(*) from ${countedViews(asked)} v
      left join ${goneReels} gone on gone.creator_id = v.creator_id and gone.id = v.reel_id and gone.month = ${viewCountsIn}
      where gone.id is null and ${hasViews(asked, viewCountsIn)} group by 1, 2
      union all
      select d.creator_id, ${dayCountsIn}, 'views', sum(case when ${hasViews(asked, dayCountsIn)} then without_row else d.views end)::bigint
      from ${daysOf(asked)} d left join ${goneReels} gone on gone.creator_id = d.creator_id and gone.id = d.reel_id and gone.month = ${dayCountsIn}
      where verdict = 'counted' and gone.id is null group by 1, 2
      union all
      select p.creator_id, l.month, 'likes', sum(l.likes)::bigint from (
        select creator_id, post_id, ${likedIn} as month, count(*) as likes from post_likes l
        where ${creators('l.creator_id')}
          and (l.creator_id, l.post_id) in (select creator_id, id from posts p where ${creators('p.creator_id')} and not p.duplicate)
          and l.person_id <> l.creator_id and coalesce(${month('l.undone_at')} > ${likedIn}, true)
        group by 1, 2, 3
      ) l join posts p on p.creator_id = l.creator_id and p.id = l.post_id
      where ${creators('p.creator_id')} and not ${isAdjusted(asked, 'p.id', sql.ref('l.month'))}
        and not (${isDeleted('p')} and coalesce(${month('p.published_at')} = l.month, false)) group by 1, 2
    ) events`;
  return await differingOf(db, recorded, derived);
}

/** Compares the counted views of each reel with the watched views; `owner` is the reel. Showings that were not watched have no row. */
export async function differingReels(db: Kysely<Tables>, asked: Asked): Promise<ComparedOf[]> {
  return await differingOf(
    db,
    sql`
      select creator_id, reel_id, ${dayCountsIn}, 'counted', sum(views - without_row) from ${daysOf(asked)} d
      where verdict = 'counted' and ${hasViews(asked, dayCountsIn)} group by 1, 2, 3`,
    sql`
      select creator_id, reel_id, ${viewCountsIn}, 'counted', count(*) from ${countedViews(asked)} v
      where ${hasViews(asked, viewCountsIn)} group by 1, 2, 3`,
  );
}

const { watch } = rules;
/** A view may be recorded while its reel is being deleted or found to be no copy, or a moment after its month was closed. */
const graceSeconds = 60;
const grace = sql`make_interval(secs => ${sql.lit(graceSeconds)})`;

/** Watched views that should not exist; `recorded` is their number. */
export async function unfoundedViews(db: Kysely<Tables>, asked: Asked): Promise<ComparedOf[]> {
  const { creators, timeZone } = asked;
  const passed = sql`extract(epoch from v.watched_at - v.shown_at)`;
  const wrong: [figure: RawBuilder<string>, isSo: RawBuilder<unknown>][] = [
    [sql`'shown on ' || day`, sql`v.day <> (v.shown_at at time zone ${timeZone})::date`],
    [sql`'counted too early'`, sql`${passed} < ${neededSeconds} - ${sql.lit(rounding)}`],
    [sql`'counted too late'`, sql`${passed} > ${sql.lit(watch.leaseMinutes * 60 + graceSeconds)}`],
    [sql`'a copy, and counted'`, sql`r.duplicate or ${isAdjusted(asked, 'v.reel_id', viewCountsIn)}`],
    [sql`'gone, and counted'`, sql`v.watched_at > r.deleted_at + ${grace}`],
    [sql`'taken down, and counted'`, sql`v.watched_at > r.taken_down_at + ${grace}`],
    [sql`'of a suspended creator'`, sql`v.watched_at > r.suspended_at + ${grace}`],
    [sql`${sql.lit(ofAnother)}`, sql`r.id is null`],
  ];
  const column = (index: number) => sql.ref(`wrong_${index}`);
  const { rows } = await sql<ComparedOf>`
    with suspended as materialized (
      select id, suspended_at from people where suspended_at is not null and ${creators('id')}
    ),
    counted as materialized (
      select v.creator_id, v.reel_id, v.day,
        ${sql.join(wrong.map(([, isSo], index) => sql`count(*) filter (where ${isSo}) as ${column(index)}`))}
      from ${countedViews(asked)} v left join (
        select reels.*, suspended_at from reels left join suspended on suspended.id = creator_id where ${creators('creator_id')}
      ) r on r.id = v.reel_id and r.creator_id = v.creator_id
      group by 1, 2, 3
    )
    select creator_id as creator, reel_id as owner, to_char(day, 'YYYY-MM') as month, figure, sum(views)::bigint as recorded, 0 as derived
    from counted cross join lateral (values
      ${sql.join(wrong.map(([figure], index) => sql`(${figure}, ${column(index)})`))}
    ) as each (figure, views)
    where views > 0 group by 1, 2, 3, 4 order by 2, 3, 4`.execute(db);
  const others = rows.filter(({ figure }) => figure === ofAnother);
  if (others.length === 0) return rows;
  const existing = await db
    .selectFrom('works')
    .select('id')
    .where('kind', '=', 'reel')
    .where('id', 'in', [...new Set(others.map(({ owner }) => owner))])
    .execute();
  const ids = new Set(existing.map(({ id }) => id));
  return rows.filter(({ figure, owner }) => figure !== ofAnother || ids.has(owner));
}

const ofAnother = 'of another creator';

/** Those of these creators whose reels were watched by signed-in people, with the months in which they were. */
export async function watchedSignedIn(
  db: Kysely<Tables>,
  asked: Asked,
): Promise<{ creator_id: string; month: string }[]> {
  const { rows } = await sql<{ creator_id: string; month: string }>`
    select creator_id, ${viewCountsIn} as month from ${countedViews(asked)} v where signed_in group by 1, 2`.execute(
    db,
  );
  return rows;
}

/** A person and the viewer hash of the person in a month, in hex. */
export interface HashedPerson {
  personId: string;
  viewer: string;
}

/** Counted views of creators by themselves in a month. */
export async function viewsByCreators(
  db: Kysely<Tables>,
  month: string,
  creators: readonly HashedPerson[],
): Promise<ComparedOf[]> {
  const { rows } = await sql<ComparedOf>`
    select v.creator_id as creator, v.reel_id as owner, ${month}::text as month, 'own, and counted' as figure, count(*)::bigint as recorded, 0 as derived
    from unnest(${creators.map(({ personId }) => personId)}::uuid[], ${creators.map(({ viewer }) => viewer)}::text[]) c(creator_id, viewer)
    join views v on v.verdict = 'counted' and v.creator_id = c.creator_id and v.viewer = decode(c.viewer, 'hex')
      and v.day >= (${month} || '-01')::date and v.day < (${month} || '-01')::date + interval '1 month'
    group by 1, 2 order by 2`.execute(db);
  return rows;
}

/** Reels with more counted watched views than showings in their month, not counting showings to bots. */
export async function unshownViews(db: Kysely<Tables>, asked: Asked): Promise<ComparedOf[]> {
  const { rows } = await sql<ComparedOf>`
    with recorded as (
      select creator_id, reel_id, to_char(shown_at at time zone ${asked.timeZone}, 'YYYY-MM') as month, count(*)::bigint as views
      from ${countedViews(asked)} v group by 1, 2, 3
      union all
      select creator_id, reel_id, ${dayCountsIn}, sum(without_row)::bigint from ${daysOf(asked)} d
      where verdict = 'counted' and without_row > 0 group by 1, 2, 3
    ),
    watched as (select creator_id, reel_id, month, sum(views)::bigint as views from recorded group by 1, 2, 3),
    showings as (
      select creator_id, reel_id, ${dayCountsIn} as month,
        sum(case verdict when 'shown' then views when 'bot' then -views else 0 end)::bigint as views
      from ${daysOf(asked)} d group by 1, 2, 3
    )
    select creator_id as creator, reel_id as owner, month, 'shown' as figure, coalesce(showings.views, 0) as recorded, watched.views as derived
    from watched left join showings using (creator_id, reel_id, month)
    where watched.views > coalesce(showings.views, 0) order by 2, 3`.execute(db);
  return rows;
}

/** Derives from the views how many signed-in viewers watched each creator. */
export async function differingViewers(db: Kysely<Tables>, asked: Asked): Promise<ComparedOf[]> {
  return await differingOf(
    db,
    sql`
      select creator_id, creator_id, month, 'viewers', count(*) from creator_viewers
      where ${asked.creators('creator_id')} and ${hasViews(asked, sql.ref('month'))} group by 1, 2, 3`,
    sql`
      select creator_id, creator_id, ${viewCountsIn}, 'viewers', count(distinct viewer) from ${countedViews(asked)} v
      where signed_in and not was_copy and ${hasViews(asked, viewCountsIn)} group by 1, 2, 3`,
  );
}

export async function countedMonths(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db
    .selectFrom('months')
    .select('month')
    .where('counted_at', 'is not', null)
    .orderBy('month')
    .execute();
  return rows.map(({ month }) => month);
}

export interface AuditedResult extends CountedMonth {
  result: Selectable<Tables['month_results']> | null;
}

/** The stored results of these creators in a counted month, and the counts and shares from which they were computed. */
export async function listResults(
  db: Kysely<Tables>,
  month: string,
  creators: Creators,
): Promise<AuditedResult[]> {
  const { rows } = await sql<AuditedResult>`
    select m.creator_id, m.reels, m.posts, m.stories, m.views, m.likes, to_jsonb(r) as result,
      coalesce(s.accounts, 0) as accounts, coalesce(s.views, 0)::bigint as "accountViews"
    from creator_months m
    left join month_results r on r.creator_id = m.creator_id and r.month = m.month
    left join month_shares s on s.month = m.month and s.creator_id = m.creator_id
    where m.month = ${month} and ${creators('m.creator_id')} order by m.creator_id`.execute(db);
  return rows;
}
