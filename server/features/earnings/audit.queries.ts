import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { rules } from '#contract/earning-rules.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inSnapshot } from '#server/platform/database/transaction.ts';
import { countActive, findActive } from '../views/established.ts';

/** For a query about withdrawals `w`: their attempts `a`. */
const attemptsOfW = sql`from payout_attempts a where a.creator_id = w.creator_id and a.withdrawal_id = w.id`;

/** Runs a part of the audit in one snapshot, so that concurrent changes do not look like differences. */
export async function snapshot<T>(
  db: Kysely<Tables>,
  run: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return await inSnapshot(db, async (trx) => {
    await allowLongStatements(trx);
    // One connection to each node of a cluster, and so one snapshot of it.
    await sql`select set_config('citus.max_adaptive_executor_pool_size', '1', true)`.execute(trx);
    return await run(trx);
  });
}

/** Until the transaction ends, a statement may take a quarter of an hour. */
export async function allowLongStatements(trx: Transaction<Tables>): Promise<void> {
  await sql`select set_config('statement_timeout', '15min', true)`.execute(trx);
}

export interface Compared {
  owner: string;
  month: string;
  figure: string;
  recorded: number;
  derived: number;
}

/** Rows of owner, month and figure for which the recorded and the derived count differ. */
export async function differing<T extends Compared>(
  db: Kysely<Tables>,
  { recorded, derived }: { recorded: RawBuilder<unknown>; derived: RawBuilder<unknown> },
  owner = sql`owner`,
): Promise<T[]> {
  const of = sql`${owner}, month, figure`;
  const { rows } = await sql<T>`
    with recorded(${of}, count) as (${recorded}), every(${of}, count) as (${derived}),
    derived(${of}, count) as (select ${of}, sum(count) from every group by ${of})
    select ${of}, coalesce(r.count, 0)::bigint as recorded, coalesce(d.count, 0)::bigint as derived
    from recorded r full join derived d using (${of})
    where coalesce(r.count, 0) <> coalesce(d.count, 0) order by ${of}`.execute(db);
  return rows;
}

const { watch, established } = rules;
/** Seconds that must pass between the showing of the reel `r` and its report. */
export const neededSeconds = sql`${sql.lit(watch.shareOnServer)} * least(
  ${sql.lit(watch.seconds)}, case when r.seconds > 0 then r.seconds * ${sql.lit(watch.share)} end)`;
/** Dates and durations of a view are stored in milliseconds. */
export const rounding = 0.001;

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
  people: readonly { personId: string; viewer: string }[],
): Promise<Compared[]> {
  const viewers = people.map(({ viewer }) => viewer);
  const creatorsOf = new Map(
    (await findActive(db, month, viewers)).map(({ viewer, creators }) => [viewer, creators]),
  );
  const account = sql`(
    select person_id, decode(hex, 'hex') as viewer, creators
    from unnest(${people.map(({ personId }) => personId)}::uuid[], ${viewers}::text[],
      ${viewers.map((viewer) => creatorsOf.get(viewer) ?? null)}::int[]) account(person_id, hex, creators))`;
  return await differing(db, {
    recorded: sql`
      select person_id::text, month, 'views that an account lets pay', views::bigint from established_accounts where month = ${month}
      union all
      select creator_id::text, month, figure, count from month_shares cross join lateral (values
        ('accounts', accounts::bigint), ('views of accounts', views)) as each (figure, count) where month = ${month}`,
    derived: sql`
      select account.person_id::text, m.month, 'views that an account lets pay', least(m.views_per_creator, m.views_in_all / creators)::bigint
      from months m cross join ${account} account where m.month = ${month} and creators is not null
      union all
      select c.creator_id::text, c.month, figure, count
      from creator_viewers c join ${account} account on account.viewer = c.viewer
      join established_accounts a on a.month = c.month and a.person_id = account.person_id
      cross join lateral (values ('accounts', 1::bigint), ('views of accounts', a.views::bigint)) as each (figure, count)
      where c.month = ${month}`,
  });
}

/** Viewers who were paid for more seconds of a day than passed between their first showing and their last report, or for too many views. */
export async function overpaidViewers(db: Kysely<Tables>, timeZone: string): Promise<Compared[]> {
  const { rows } = await sql<Compared>`
    with days as (
      select encode(v.viewer, 'hex') as owner, (v.watched_at at time zone ${timeZone})::date as day, count(*)::bigint as views,
        sum(${neededSeconds}) as needed, extract(epoch from max(v.watched_at) - min(v.shown_at)) as passed
      from views v left join (
        -- all others need the same time
        select id, creator_id, seconds from reels where seconds > 0 and seconds * ${sql.lit(watch.share)} < ${sql.lit(watch.seconds)}
      ) r on r.creator_id = v.creator_id and r.id = v.reel_id
      where v.verdict = 'counted' group by 1, 2
    )
    select owner, to_char(day, 'YYYY-MM') as month, figure, recorded, derived from days cross join lateral (values
      ('views on ' || day, views, ${sql.lit(watch.viewsADay)}::bigint),
      ('seconds on ' || day, ceil(needed - views * ${sql.lit(rounding)})::bigint, ceil(passed)::bigint)
    ) as each (figure, recorded, derived)
    where recorded > derived order by 1, 2, 3`.execute(db);
  return rows;
}

/**
 * Derives from the views what each viewer watched, and which accounts are established; `owner` is the viewer hash. Of the accounts stored by
 * person only the number is compared.
 */
export async function differingViewers(db: Kysely<Tables>): Promise<Compared[]> {
  const active = await countActive(db);
  return await differing(db, {
    recorded: sql`
      select encode(viewer, 'hex'), month, figure, count from viewer_months cross join lateral (values
        ('views', views::bigint), ('creators', creators::bigint), ('days', days::bigint)) as each (figure, count)
        where ${hasViews(sql.ref('viewer_months.month'))}
      union all
      select 'all', month, 'active people', count(*) from active_people a where ${hasViews(sql.ref('a.month'))} group by 2`,
    derived: sql`
      select encode(viewer, 'hex'), month, figure, count from (
        select viewer, to_char(day, 'YYYY-MM') as month, count(*) as views, count(distinct creator_id) as creators,
          bit_or(1 << (extract(day from day)::int - 1))::bigint as days
        from views where signed_in and verdict = 'counted' and not was_copy and ${hasViews(sql`to_char(day, 'YYYY-MM')`)} group by 1, 2
      ) derived cross join lateral (values ('views', views), ('creators', creators), ('days', days)) as each (figure, count)
      union all
      select 'all', month, 'active people', viewers
      from unnest(${active.map(({ month }) => month)}::text[], ${active.map(({ viewers }) => viewers)}::bigint[]) active(month, viewers)
      where ${hasViews(sql.ref('active.month'))}`,
  });
}

/** Compares each person's months of activity with the reported events. */
export async function differingActivity(db: Kysely<Tables>, timeZone: string): Promise<Compared[]> {
  return await differing(db, {
    recorded: sql`
      select person_id, month, kind, count from activity_months cross join lateral (values
        ('scroll', scrolls), ('reel_like', reel_likes), ('photo_like', photo_likes), ('active_hour', active_hours)
      ) as each (kind, count) where count > 0`,
    derived: sql`select person_id, to_char(noted_at at time zone ${timeZone}, 'YYYY-MM'), kind, count(*) from activity_events group by 1, 2, 3`,
  });
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
