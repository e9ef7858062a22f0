import { type Kysely, sql, type Transaction } from 'kysely';
import { type MonthCounts, rules } from '#contract/earning-rules.ts';
import type { FoundMark } from '#contract/operators.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { type AccountLimits, findActive } from '../views/established.ts';
import type { Result, Shares } from './money.ts';

interface Terms {
  month: string;
  /** What an account lets pay. */
  limits: AccountLimits;
  /** Whether addresses can be verified. */
  hasMail: boolean;
  timeZone: string;
}

const peopleAtOnce = 5000;

/**
 * Stores the established accounts of a month, as they are now, and the shares of each creator. An account that watched enough is established
 * if it is old enough and verified at the end of the month (without mail addresses cannot be verified, so only age counts), and not suspended
 * or deleted. A temporary table joins people with their viewer hashes, so that no row has both.
 */
export async function freezeAccounts(
  trx: Transaction<Tables>,
  { month, limits, hasMail, timeZone }: Terms,
  viewerHashOf: (personId: string) => string,
): Promise<void> {
  await sql`set local statement_timeout = '15min'`.execute(trx);
  await sql`create temporary table closing_accounts (
    viewer bytea primary key, person_id uuid not null, joined_on date not null, creators int not null) on commit drop`.execute(
    trx,
  );
  const { days, daysWithoutMail } = rules.established;
  const end = sql`(((${month} || '-01')::timestamp + interval '1 month') at time zone ${timeZone})`;
  for (let after: string | undefined, isLast = false; !isLast; ) {
    const { rows }: { rows: { id: string }[] } = await sql<{ id: string }>`
      select p.id from active_people a join people p on p.id = a.person_id
      where a.month = ${month} and (${after ?? null}::uuid is null or a.person_id > ${after ?? null}::uuid)
        and p.suspended_at is null
        and p.created_at + make_interval(days => ${hasMail ? days : daysWithoutMail}::int) < ${end}
        and (not ${hasMail}::boolean or p.email_verified_at < ${end})
      order by a.person_id limit ${peopleAtOnce}`.execute(trx);
    const people = new Map(rows.map(({ id }) => [viewerHashOf(id), id]));
    const active = await findActive(trx, month, [...people.keys()]);
    await sql`
      insert into closing_accounts (viewer, person_id, joined_on, creators)
      select decode(hex, 'hex'), p.id, (p.created_at at time zone ${timeZone})::date, creators
      from unnest(
        ${active.map(({ viewer }) => viewer)}::text[], ${active.map(({ viewer }) => people.get(viewer))}::uuid[],
        ${active.map(({ creators }) => creators)}::int[]
      ) active(hex, id, creators) join people p on p.id = active.id`.execute(trx);
    after = rows.at(-1)?.id;
    isLast = rows.length < peopleAtOnce;
  }
  await sql`analyze closing_accounts`.execute(trx);
  // What an account lets pay of each creator: the same for few creators, and less where it watched many.
  await sql`
    insert into established_accounts (month, person_id, views)
    select ${month}, person_id, least(${limits.viewsPerCreator}::int, ${limits.viewsInAll}::int / creators)
    from closing_accounts`.execute(trx);
  await sql`
    insert into month_shares (month, creator_id, accounts, views, of_one_day)
    select ${month}, creator_id, sum(accounts)::int, sum(views)::bigint, max(accounts)::int
    from (
      select c.creator_id, e.joined_on, count(*) as accounts, sum(a.views) as views
      from creator_viewers c join closing_accounts e on e.viewer = c.viewer
      join established_accounts a on a.month = c.month and a.person_id = e.person_id
      where c.month = ${month} group by 1, 2
    ) days group by creator_id`.execute(trx);
  await sql`drop table closing_accounts`.execute(trx);
  // Without statistics of what was just written, each batch of results would begin with all accounts.
  await sql`analyze established_accounts, month_shares`.execute(trx);
}

export interface CountedMonth extends MonthCounts, Shares {
  creator_id: string;
  /** The most of the established accounts that were created on one day. */
  ofOneDay: number;
}

/** The next creators of a closed month without a result, by id. */
export async function nextToCount(
  trx: Transaction<Tables>,
  month: string,
  limit: number,
): Promise<CountedMonth[]> {
  const last = await trx
    .selectFrom('month_results')
    .select('creator_id')
    .where('month', '=', month)
    .orderBy('creator_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const after = last?.creator_id ?? '00000000-0000-0000-0000-000000000000';
  // Both tables are read from there on: a merge join would read the shares of all creators before, with each batch.
  const { rows } = await sql<CountedMonth>`
    select m.creator_id, m.reels, m.posts, m.stories, m.views, m.likes,
      coalesce(s.accounts, 0) as accounts, coalesce(s.views, 0)::bigint as "accountViews", coalesce(s.of_one_day, 0) as "ofOneDay"
    from creator_months m
    left join month_shares s on s.month = m.month and s.creator_id = m.creator_id and s.creator_id > ${after}
    where m.month = ${month} and m.creator_id > ${after}
    order by m.creator_id limit ${limit}`.execute(trx);
  return rows;
}

export async function insertResults(
  trx: Kysely<Tables>,
  month: string,
  results: readonly (Result & { creator_id: string; marks: FoundMark[] })[],
): Promise<void> {
  if (results.length === 0) return;
  const column = (figure: (result: Result) => number) => sql`${results.map(figure)}::bigint[]`;
  await sql`
    insert into month_results (creator_id, month, reels, posts, stories, views, likes,
      paid_reels, paid_posts, paid_stories, paid_views, paid_likes, accounts, account_views, coins, paise, may_be_carried, marks)
    select creator_id, ${month}, reels, posts, stories, views, likes,
      paid_reels, paid_posts, paid_stories, paid_views, paid_likes, accounts, account_views, coins, paise, may_be_carried, marks
    from unnest(${results.map((result) => result.creator_id)}::uuid[],
      ${column(({ counts }) => counts.reels)}, ${column(({ counts }) => counts.posts)}, ${column(({ counts }) => counts.stories)},
      ${column(({ counts }) => counts.views)}, ${column(({ counts }) => counts.likes)},
      ${column(({ paid }) => paid.reels)}, ${column(({ paid }) => paid.posts)}, ${column(({ paid }) => paid.stories)},
      ${column(({ paid }) => paid.views)}, ${column(({ paid }) => paid.likes)},
      ${column((result) => result.accounts)}, ${column((result) => result.accountViews)},
      ${column((result) => result.coins)}, ${column((result) => result.paise)},
      ${results.map((result) => result.mayBeCarried)}::boolean[],
      ${results.map(({ marks }) => JSON.stringify(marks))}::jsonb[]
    ) as r (creator_id, reels, posts, stories, views, likes, paid_reels, paid_posts, paid_stories, paid_views, paid_likes,
      accounts, account_views, coins, paise, may_be_carried, marks)`.execute(trx);
}

/** Seconds from the end of a month until now. */
export async function secondsSince(
  db: Kysely<Tables>,
  { month, timeZone }: { month: string; timeZone: string },
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from ${now}::timestamptz - ((${month} || '-01')::timestamp + interval '1 month') at time zone ${timeZone})::float8
      as seconds`.execute(db);
  return rows[0]?.seconds ?? 0;
}
