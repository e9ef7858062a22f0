import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { type MonthCounts, rules } from '#contract/earning-rules.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inSnapshot } from '#server/platform/database/transaction.ts';
import type { CountedMonth } from '../months/closing.ts';
import { listAdjustedWorks } from '../months/own-works.ts';
import { countActive, findActive } from '../views/established.ts';

/** For a query about withdrawals `w`: their attempts `a`. */
const attemptsOfW = sql`from payout_attempts a where a.creator_id = w.creator_id and a.withdrawal_id = w.id`;

/** Runs the whole audit in one snapshot, so that concurrent changes do not look like differences. */
export async function snapshot<T>(
  db: Kysely<Tables>,
  run: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return await inSnapshot(db, async (trx) => {
    await sql`set local statement_timeout = '15min'`.execute(trx);
    return await run(trx);
  });
}

export interface Compared {
  owner: string;
  month: string;
  figure: string;
  recorded: number;
  derived: number;
}

/** Rows of owner, month and figure for which the recorded and the derived count differ. */
async function differing(
  db: Kysely<Tables>,
  recorded: RawBuilder<unknown>,
  derived: RawBuilder<unknown>,
): Promise<Compared[]> {
  const { rows } = await sql<Compared>`
    with recorded(owner, month, figure, count) as (${recorded}), every(owner, month, figure, count) as (${derived}),
    derived(owner, month, figure, count) as (select owner, month, figure, sum(count) from every group by 1, 2, 3)
    select owner, month, figure, coalesce(r.count, 0)::bigint as recorded, coalesce(d.count, 0)::bigint as derived
    from recorded r full join derived d using (owner, month, figure)
    where coalesce(r.count, 0) <> coalesce(d.count, 0) order by 1, 2, 3`.execute(db);
  return rows;
}

/** The watched views that count. */
const countedViews = sql`(select * from views where verdict = 'counted')`;

/** The month of a row `v` of `views`. */
const viewCountsIn = sql`to_char(v.day, 'YYYY-MM')`;

/** The month of a row `d` of `reel_days`. */
const dayCountsIn = sql`to_char(d.day, 'YYYY-MM')`;

/** Whether the single views of a month still exist. */
const hasViews = (month: RawBuilder<unknown>) =>
  sql`(${month} not in (select month from months where views_deleted_at is not null))`;

/** Finished months without single views. */
export async function monthsWithoutViews(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db
    .selectFrom('months')
    .select('month')
    .where('views_deleted_at', 'is not', null)
    .orderBy('month')
    .execute();
  return rows.map(({ month }) => month);
}

/** The condition that a work counts in a month by an adjustment, so that the month itself is without it. */
async function adjustedWorks(
  db: Kysely<Tables>,
): Promise<(workId: string, month: RawBuilder<unknown>) => RawBuilder<boolean>> {
  const works = await listAdjustedWorks(db);
  const adjusted = sql`(select * from unnest(${works.map(({ workId }) => workId)}::uuid[], ${works.map(({ month }) => month)}::text[]))`;
  return (workId, month) => sql`((${sql.ref(workId)}, ${month}) in ${adjusted})`;
}

const figures = ['reels', 'posts', 'stories', 'views', 'likes'] as const satisfies (keyof MonthCounts)[];

/**
 * Derives the months of all creators from events and returns those that differ from the recorded ones. A reel, post
 * or story deleted in the month of its publication takes its views and likes with it (decisions §4). A like undone in
 * its month counts nowhere; duplicates and likes of own posts do not count.
 */
export async function differingMonths(db: Kysely<Tables>, timeZone: string): Promise<Compared[]> {
  const isAdjusted = await adjustedWorks(db);
  const month = (column: string) => sql`to_char(${sql.ref(column)} at time zone ${timeZone}, 'YYYY-MM')`;
  const isDeleted = (table: string) =>
    sql`coalesce(${month(`${table}.published_at`)} = ${month(`${table}.deleted_at`)}, false)`;
  const goneIn = (table: string, at: RawBuilder<unknown>) =>
    sql`coalesce(${isDeleted(table)} and ${month(`${table}.published_at`)} = ${at}, false)`;
  const published = (table: string, figure: string, pays = sql`true`) => sql`
    select creator_id, ${month(`${table}.published_at`)} as month, ${sql.lit(figure)} as figure, count(*) as count
    from ${sql.ref(table)} where published_at is not null and not duplicate and ${pays} and not ${isDeleted(table)}
      and not ${isAdjusted(`${table}.id`, month(`${table}.published_at`))}
    group by 1, 2`;
  const likedIn = month('l.liked_at');
  const recorded = sql.join(
    figures.map(
      (figure) =>
        sql`select creator_id, month, ${sql.lit(figure)} as figure, ${sql.ref(figure)}::bigint as count from creator_months`,
    ),
    sql` union all `,
  );
  const derived = sql`
    ${published('reels', 'reels', sql`unpaid is null`)} union all ${published('posts', 'posts')}
    union all ${published('stories', 'stories')}
    union all
    select v.creator_id, ${viewCountsIn}, 'views', count(*) from ${countedViews} v
    left join reels r on r.id = v.reel_id
    where not ${goneIn('r', viewCountsIn)} and ${hasViews(viewCountsIn)} group by 1, 2
    union all
    select d.creator_id, ${dayCountsIn}, 'views', sum(case when ${hasViews(dayCountsIn)} then without_row else d.views end)::bigint
    from reel_days d left join reels r on r.id = d.reel_id
    where verdict = 'counted' and not ${goneIn('r', dayCountsIn)} group by 1, 2
    union all
    select p.creator_id, ${likedIn}, 'likes', count(*) from post_likes l
    join posts p on p.id = l.post_id
    where l.person_id <> p.creator_id and not p.duplicate and not ${isAdjusted('p.id', likedIn)}
      and coalesce(${month('l.undone_at')} > ${likedIn}, true)
      and not ${goneIn('p', likedIn)} group by 1, 2`;
  return await differing(db, recorded, derived);
}

/** Compares the counted views of each reel with the watched views; `owner` is the reel. Showings that were not watched have no row. */
export async function differingReels(db: Kysely<Tables>): Promise<Compared[]> {
  return await differing(
    db,
    sql`
      select reel_id, ${dayCountsIn}, 'counted', sum(views - without_row) from reel_days d
      where verdict = 'counted' and ${hasViews(dayCountsIn)} group by 1, 2`,
    sql`
      select reel_id, ${viewCountsIn}, 'counted', count(*) from ${countedViews} v
      where ${hasViews(viewCountsIn)} group by 1, 2`,
  );
}

const { watch, established } = rules;
/** Seconds that must pass between the showing of the reel `r` and its report. */
const neededSeconds = sql`${sql.lit(watch.shareOnServer)} * least(
  ${sql.lit(watch.seconds)}, case when r.seconds > 0 then r.seconds * ${sql.lit(watch.share)} end)`;
/** Dates and durations of a view are stored in milliseconds. */
const rounding = 0.001;
/** A view may be recorded while its reel is being deleted or found to be no copy, or a moment after its month was closed. */
const graceSeconds = 60;
const grace = sql`make_interval(secs => ${sql.lit(graceSeconds)})`;

/** Watched views that should not exist; `recorded` is their number. */
export async function unfoundedViews(db: Kysely<Tables>, timeZone: string): Promise<Compared[]> {
  const isAdjusted = await adjustedWorks(db);
  const passed = sql`extract(epoch from v.watched_at - v.shown_at)`;
  const wrong: [figure: RawBuilder<string>, isSo: RawBuilder<unknown>][] = [
    [sql`'shown on ' || day`, sql`v.day <> (v.shown_at at time zone ${timeZone})::date`],
    [sql`'counted too early'`, sql`${passed} < ${neededSeconds} - ${sql.lit(rounding)}`],
    [sql`'counted too late'`, sql`${passed} > ${sql.lit(watch.leaseMinutes * 60 + graceSeconds)}`],
    [sql`'a copy, and counted'`, sql`r.duplicate or ${isAdjusted('v.reel_id', viewCountsIn)}`],
    [sql`'gone, and counted'`, sql`v.watched_at > r.deleted_at + ${grace}`],
    [sql`'taken down, and counted'`, sql`v.watched_at > r.taken_down_at + ${grace}`],
    [sql`'of a suspended creator'`, sql`v.watched_at > p.suspended_at + ${grace}`],
    [sql`'of another creator'`, sql`v.creator_id <> r.creator_id`],
  ];
  const column = (index: number) => sql.ref(`wrong_${index}`);
  const { rows } = await sql<Compared>`
    with counted as materialized (
      select v.reel_id, v.day,
        ${sql.join(wrong.map(([, isSo], index) => sql`count(*) filter (where ${isSo}) as ${column(index)}`))}
      from ${countedViews} v left join reels r on r.id = v.reel_id left join people p on p.id = v.creator_id
      group by 1, 2
    )
    select reel_id as owner, to_char(day, 'YYYY-MM') as month, figure, sum(views)::bigint as recorded, 0 as derived
    from counted cross join lateral (values
      ${sql.join(wrong.map(([figure], index) => sql`(${figure}, ${column(index)})`))}
    ) as each (figure, views)
    where views > 0 group by 1, 2, 3 order by 1, 2, 3`.execute(db);
  return rows;
}

/** Creators whose reels were watched by signed-in people, with the months in which they were. */
export async function creatorsWatchedSignedIn(
  db: Kysely<Tables>,
): Promise<{ creator_id: string; month: string }[]> {
  const { rows } = await sql<{ creator_id: string; month: string }>`
    select creator_id, to_char(day, 'YYYY-MM') as month from ${countedViews} v
    where signed_in group by 1, 2`.execute(db);
  return rows;
}

/** A person and the viewer hash of the person in a month, in hex. */
export interface HashedPerson {
  personId: string;
  viewer: string;
}

/** Counted views of these creators by themselves in a month. */
export async function viewsByCreators(
  db: Kysely<Tables>,
  month: string,
  creators: readonly HashedPerson[],
): Promise<Compared[]> {
  const { rows } = await sql<Compared>`
    select v.reel_id as owner, ${month}::text as month, 'own, and counted' as figure, count(*)::bigint as recorded, 0 as derived
    from unnest(${creators.map(({ personId }) => personId)}::uuid[], ${creators.map(({ viewer }) => viewer)}::text[]) c(creator_id, viewer)
    join ${countedViews} v on v.creator_id = c.creator_id and v.viewer = decode(c.viewer, 'hex')
      and v.day >= (${month} || '-01')::date and v.day < (${month} || '-01')::date + interval '1 month'
    group by 1 order by 1`.execute(db);
  return rows;
}

/**
 * Accounts that are established although they were too young at the end of the month, or suspended before it, or although addresses could be
 * verified and theirs never was (docs/decisions/0057-established-accounts.md); `owner` is the person.
 */
export async function wronglyEstablished(db: Kysely<Tables>, timeZone: string): Promise<Compared[]> {
  const days = sql.lit(established.days);
  const daysWithoutMail = sql.lit(established.daysWithoutMail);
  const end = sql`((m.month || '-01')::timestamp + interval '1 month') at time zone ${timeZone}`;
  const isYoung = sql`p.created_at + make_interval(days => case when m.has_mail then ${days} else ${daysWithoutMail} end) >= ${end}`;
  // A verified address may have been replaced by another one since, so the date of verification says nothing.
  const isUnverified = sql`(m.has_mail and p.email_verified_at is null)`;
  const isSuspended = sql`coalesce(p.suspended_at < m.closed_at, false)`;
  const { rows } = await sql<Compared>`
    select a.person_id as owner, a.month, 'established' as figure, 1 as recorded, 0 as derived
    from established_accounts a join months m on m.month = a.month join people p on p.id = a.person_id
    where ${isYoung} or ${isSuspended} or ${isUnverified} order by 1, 2`.execute(db);
  return rows;
}

export async function establishedPeople(db: Kysely<Tables>): Promise<{ person_id: string; month: string }[]> {
  const { rows } = await sql<{ person_id: string; month: string }>`
    select person_id, month from established_accounts a where ${hasViews(sql.ref('a.month'))}`.execute(db);
  return rows;
}

/**
 * Compares what each established account lets pay, and the shares of each creator, with what these accounts watched. `people`: all
 * established accounts of the month.
 */
export async function differingShares(
  db: Kysely<Tables>,
  month: string,
  people: readonly HashedPerson[],
): Promise<Compared[]> {
  const viewers = people.map(({ viewer }) => viewer);
  const creatorsOf = new Map(
    (await findActive(db, month, viewers)).map(({ viewer, creators }) => [viewer, creators]),
  );
  const account = sql`(
    select person_id, decode(hex, 'hex') as viewer, creators
    from unnest(${people.map(({ personId }) => personId)}::uuid[], ${viewers}::text[],
      ${viewers.map((viewer) => creatorsOf.get(viewer) ?? null)}::int[]) account(person_id, hex, creators))`;
  return await differing(
    db,
    sql`
      select person_id::text, month, 'views that an account lets pay', views::bigint from established_accounts where month = ${month}
      union all
      select creator_id::text, month, figure, count from month_shares cross join lateral (values
        ('accounts', accounts::bigint), ('views of accounts', views)) as each (figure, count) where month = ${month}`,
    sql`
      select account.person_id::text, m.month, 'views that an account lets pay', least(m.views_per_creator, m.views_in_all / creators)::bigint
      from months m cross join ${account} account where m.month = ${month} and creators is not null
      union all
      select c.creator_id::text, c.month, figure, count
      from creator_viewers c join ${account} account on account.viewer = c.viewer
      join established_accounts a on a.month = c.month and a.person_id = account.person_id
      cross join lateral (values ('accounts', 1::bigint), ('views of accounts', a.views::bigint)) as each (figure, count)
      where c.month = ${month}`,
  );
}

/** Months that are counted, and the results of one of them with the counts that they were made of. */
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

/** A page of creators of a counted month by id: the stored result, and the counts and shares from which it was computed. */
export async function resultsAfter(
  db: Kysely<Tables>,
  month: string,
  after: string | undefined,
  limit: number,
): Promise<AuditedResult[]> {
  const { rows } = await sql<AuditedResult>`
    select m.creator_id, m.reels, m.posts, m.stories, m.views, m.likes, to_jsonb(r) as result,
      coalesce(s.accounts, 0) as accounts, coalesce(s.views, 0)::bigint as "accountViews"
    from creator_months m
    left join month_results r on r.creator_id = m.creator_id and r.month = m.month
    left join month_shares s on s.month = m.month and s.creator_id = m.creator_id
    where m.month = ${month} and (${after ?? null}::uuid is null or m.creator_id > ${after ?? null}::uuid)
    order by m.creator_id limit ${limit}`.execute(db);
  return rows;
}

/** Reels with more counted watched views than showings in their month, not counting showings to bots. */
export async function unshownViews(db: Kysely<Tables>, timeZone: string): Promise<Compared[]> {
  const { rows } = await sql<Compared>`
    with recorded as (
      select reel_id, to_char(shown_at at time zone ${timeZone}, 'YYYY-MM') as month, count(*)::bigint as views
      from ${countedViews} v group by 1, 2
      union all
      select reel_id, ${dayCountsIn}, sum(without_row)::bigint from reel_days d where verdict = 'counted' and without_row > 0
      group by 1, 2
    ),
    watched as (select reel_id, month, sum(views)::bigint as views from recorded group by 1, 2),
    showings as (
      select reel_id, ${dayCountsIn} as month,
        sum(case verdict when 'shown' then views when 'bot' then -views else 0 end)::bigint as views
      from reel_days d group by 1, 2
    )
    select reel_id as owner, month, 'shown' as figure, coalesce(showings.views, 0) as recorded, watched.views as derived
    from watched left join showings using (reel_id, month)
    where watched.views > coalesce(showings.views, 0) order by 1, 2`.execute(db);
  return rows;
}

/** Viewers who were paid for more seconds of a day than passed between their first showing and their last report, or for too many views. */
export async function overpaidViewers(db: Kysely<Tables>, timeZone: string): Promise<Compared[]> {
  const { rows } = await sql<Compared>`
    with days as (
      select encode(v.viewer, 'hex') as owner, (v.watched_at at time zone ${timeZone})::date as day, count(*)::bigint as views,
        sum(${neededSeconds}) as needed, extract(epoch from max(v.watched_at) - min(v.shown_at)) as passed
      from ${countedViews} v left join reels r on r.id = v.reel_id group by 1, 2
    )
    select owner, to_char(day, 'YYYY-MM') as month, figure, recorded, derived from days cross join lateral (values
      ('views on ' || day, views, ${sql.lit(watch.viewsADay)}::bigint),
      ('seconds on ' || day, ceil(needed - views * ${sql.lit(rounding)})::bigint, ceil(passed)::bigint)
    ) as each (figure, recorded, derived)
    where recorded > derived order by 1, 2, 3`.execute(db);
  return rows;
}

/**
 * Derives from the views which viewer watched which creator, and which accounts are established; `owner` is the viewer hash, or the
 * creator. Of the accounts stored by person only the number is compared.
 */
export async function differingViewers(db: Kysely<Tables>): Promise<Compared[]> {
  const active = await countActive(db);
  return await differing(
    db,
    sql`
      select encode(viewer, 'hex'), month, figure, count from viewer_months cross join lateral (values
        ('views', views::bigint), ('creators', creators::bigint), ('days', days::bigint)) as each (figure, count)
        where ${hasViews(sql.ref('viewer_months.month'))}
      union all
      select creator_id::text, month, 'viewers', count(*) from creator_viewers c where ${hasViews(sql.ref('c.month'))} group by 1, 2
      union all
      select 'all', month, 'active people', count(*) from active_people a where ${hasViews(sql.ref('a.month'))} group by 2`,
    sql`
      select encode(viewer, 'hex'), month, figure, count from (
        select viewer, to_char(day, 'YYYY-MM') as month, count(*) as views, count(distinct creator_id) as creators,
          bit_or(1 << (extract(day from day)::int - 1))::bigint as days
        from views where signed_in and verdict = 'counted' and not was_copy and ${hasViews(sql`to_char(day, 'YYYY-MM')`)} group by 1, 2
      ) derived cross join lateral (values ('views', views), ('creators', creators), ('days', days)) as each (figure, count)
      union all
      select creator_id::text, to_char(day, 'YYYY-MM'), 'viewers', count(distinct viewer) from views
        where signed_in and verdict = 'counted' and not was_copy and ${hasViews(sql`to_char(day, 'YYYY-MM')`)} group by 1, 2
      union all
      select 'all', month, 'active people', viewers
      from unnest(${active.map(({ month }) => month)}::text[], ${active.map(({ viewers }) => viewers)}::bigint[]) active(month, viewers)
      where ${hasViews(sql.ref('active.month'))}`,
  );
}

/** Compares each person's months of activity with the reported events. */
export async function differingActivity(db: Kysely<Tables>, timeZone: string): Promise<Compared[]> {
  return await differing(
    db,
    sql`
      select person_id, month, kind, count from activity_months cross join lateral (values
        ('scroll', scrolls), ('reel_like', reel_likes), ('photo_like', photo_likes), ('active_hour', active_hours)
      ) as each (kind, count) where count > 0`,
    sql`select person_id, to_char(noted_at at time zone ${timeZone}, 'YYYY-MM'), kind, count(*) from activity_events group by 1, 2, 3`,
  );
}

export interface AuditedWithdrawal {
  id: string;
  creator_id: string;
  month: string;
  coins: number;
  paise: number;
  state: Tables['withdrawals']['state'];
  /** When it was first rejected or cancelled. */
  rejected_at: Date | null;
  carried: { month: string; coins: number }[];
  /** Ledger transactions, each as `step debit credit paise`. */
  steps: string[];
  /** The states of the attempts that were paid, in their order. */
  payments: ('paid' | 'returned')[];
  /** How many attempts may still be paid. */
  under_way: number;
  of_other_amounts: number;
}

/** A page of withdrawals by id, each with its ledger transactions. */
export async function withdrawalsAfter(
  db: Kysely<Tables>,
  after: string | undefined,
  limit: number,
): Promise<AuditedWithdrawal[]> {
  const { rows } = await sql<AuditedWithdrawal>`
    select w.id, w.creator_id, w.month, w.coins, w.paise, w.state, w.carried,
      array(select concat_ws(' ', step, debit, credit, paise) from ledger_transactions
        where withdrawal_id = w.id) as steps,
      (select min(posted_at) from ledger_transactions where withdrawal_id = w.id and step = 'rejected') as rejected_at,
      array(select a.state ${attemptsOfW} and a.state in ('paid', 'returned') order by number) as payments,
      (select count(*)::int ${attemptsOfW} and a.state in ('prepared', 'exported', 'sent', 'unknown')) as under_way,
      (select count(*)::int ${attemptsOfW} and a.paise <> w.paise) as of_other_amounts
    from withdrawals w
    where ${after ?? null}::uuid is null or w.id > ${after ?? null}::uuid
    order by w.id limit ${limit}`.execute(db);
  return rows;
}

/** Months that more than one pending or completed withdrawal pays; `recorded` is their number. */
export async function monthsPaidTwice(db: Kysely<Tables>): Promise<Compared[]> {
  const { rows } = await sql<Compared>`
    select creator_id as owner, covered.month, 'withdrawals' as figure, count(*)::bigint as recorded, 1 as derived
    from withdrawals w cross join lateral (
      select w.month::text union all select paid ->> 'month' from jsonb_array_elements(w.carried) paid
    ) covered(month)
    where state <> 'rejected' group by creator_id, covered.month having count(*) > 1 order by 1, 2`.execute(
    db,
  );
  return rows;
}

/** Balances of all accounts, computed from the entries. */
export async function balances(db: Kysely<Tables>): Promise<Map<string, number>> {
  const { rows } = await sql<{ account: string; paise: number }>`
    select account, sum(paise)::bigint as paise from ledger_entries group by account`.execute(db);
  return new Map(rows.map(({ account, paise }) => [account, paise]));
}

/** Sums of the withdrawals by state. */
export async function paiseByState(db: Kysely<Tables>): Promise<Map<string, number>> {
  const { rows } = await sql<{ state: string; paise: number }>`
    select state, sum(paise)::bigint as paise from withdrawals group by state`.execute(db);
  return new Map(rows.map(({ state, paise }) => [state, paise]));
}

export async function countMonths(db: Kysely<Tables>): Promise<number> {
  const { months } = await db
    .selectFrom('creator_months')
    .select((eb) => eb.fn.countAll<number>().as('months'))
    .executeTakeFirstOrThrow();
  return months;
}
