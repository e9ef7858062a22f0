import { type Kysely, type RawBuilder, sql } from 'kysely';
import { rules } from '#contract/rates.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/** A watched view of a signed-in person. */
export interface SignedInView {
  creatorId: string;
  personId: string;
  /** In hex. */
  viewer: string;
  day: string;
  /** Whether addresses can be verified in this month. */
  hasMail: boolean;
}

const { days, daysWithoutMail, views, creators, watchedDays, leastCreators } = rules.established;

const endOf = (month: RawBuilder<unknown>, timeZone: string) =>
  sql`((${month} || '-01')::timestamp + interval '1 month') at time zone ${timeZone}`;

/**
 * Whether the account `p` in its current state is old enough and verified at the end of a month; false if it is deleted or suspended.
 * Without mail addresses cannot be verified, so only age counts. Only the result is stored: a time of the account beside a viewer hash
 * would reveal the person.
 */
const countsAt = (month: RawBuilder<unknown>, hasMail: RawBuilder<unknown>, timeZone: string) => {
  const end = endOf(month, timeZone);
  const isOld = sql`p.created_at + make_interval(days => case when ${hasMail} then ${sql.lit(days)} else ${sql.lit(daysWithoutMail)} end) < ${end}`;
  const isVerified = sql`(not ${hasMail} or p.email_verified_at < ${end})`;
  return sql`coalesce(p.suspended_at is null and ${isOld} and ${isVerified}, false)`;
};

/** Whether the row `v` of `viewer_months` watched enough; a month may require more creators. */
export const isActive = sql`(v.views >= ${sql.lit(views)}
  and bit_count(v.days::bit(32)) >= ${sql.lit(watchedDays)} and v.creators >= ${sql.lit(leastCreators)})`;

/**
 * Adds watched views to the rows that make accounts established, in the transaction that has locked the clocks of these viewers, so that no
 * other transaction adds to them. Whether an account counts is read for its first view; from then on `refreshAccount` keeps it, because an
 * account may change at the same moment.
 */
export async function addSignedInViews(
  db: Kysely<Tables>,
  views: readonly SignedInView[],
  timeZone: string,
): Promise<void> {
  if (views.length === 0) return;
  const column = (name: Exclude<keyof SignedInView, 'hasMail'>) => views.map((view) => view[name]);
  await sql`
    with seen as (
      select creator_id, person_id, decode(hex, 'hex') as viewer, day, to_char(day, 'YYYY-MM') as month, has_mail from unnest(
        ${column('creatorId')}::uuid[], ${column('personId')}::uuid[], ${column('viewer')}::text[], ${column('day')}::date[],
        ${views.map(({ hasMail }) => hasMail)}::boolean[]
      ) as seen (creator_id, person_id, hex, day, has_mail)
    ),
    first as (
      insert into creator_viewers (creator_id, month, viewer) select distinct creator_id, month, viewer from seen
      on conflict do nothing returning viewer
    ),
    added as (
      select viewer, person_id, month, has_mail, count(*)::int as views, bit_or(1 << (extract(day from day)::int - 1)) as days,
        (select count(*)::int from first where first.viewer = seen.viewer) as creators
      from seen group by viewer, person_id, month, has_mail
    ),
    v as (
      insert into viewer_months as v (viewer, month, views, creators, days, counts)
      select viewer, month, views, creators, days, ${countsAt(sql`month`, sql`has_mail`, timeZone)}
      from added left join people p on p.id = added.person_id order by viewer
      on conflict (viewer) do update set views = v.views + excluded.views, creators = v.creators + excluded.creators,
        days = v.days | excluded.days
      returning *
    )
    insert into active_people (person_id, month, creators, counts)
    select person_id, v.month, least(v.creators, ${sql.lit(creators)}), counts
    from v join added using (viewer) where ${isActive} order by person_id
    on conflict (person_id, month) do update set creators = excluded.creators, counts = excluded.counts`.execute(
    db,
  );
}

/**
 * Stores in the rows of one person in the current month whether the account counts, after it changed. An account without a view gets a row
 * without views, so that a view that is written at the same moment finds it, or is waited for.
 */
export async function refreshAccount(
  db: Kysely<Tables>,
  { personId, viewer, month, hasMail }: { personId: string; viewer: string; month: string; hasMail: boolean },
  timeZone: string,
): Promise<void> {
  const now = sql`coalesce((select ${countsAt(sql`${month}::text`, sql`${hasMail}::boolean`, timeZone)} from people p where p.id = ${personId}), false)`;
  await sql`
    insert into viewer_months (viewer, month, views, creators, days, counts)
    values (decode(${viewer}, 'hex'), ${month}, 0, 0, 0, ${now})
    on conflict (viewer) do update set counts = excluded.counts`.execute(db);
  await sql`
    update active_people set counts = ${now} where person_id = ${personId} and month = ${month}`.execute(db);
}

/** A month, and how many creators an established account must have watched in it. */
export interface Watching {
  month: string;
  creators: number;
}

/** Whether the row `v` of `viewer_months` was an established account at the end of its month. */
const isEstablished = (creators: number | RawBuilder<unknown>) =>
  sql`(${isActive} and v.creators >= ${creators} and v.counts)`;

/** How many accounts, established or not, watched a creator in a month; stops counting at `atMost`. */
export async function countViewers(
  db: Kysely<Tables>,
  { creatorId, month }: { creatorId: string; month: string },
  atMost: number,
): Promise<number> {
  const { rows } = await sql<{ accounts: number }>`
    select count(*)::int as accounts from (
      select from creator_viewers where creator_id = ${creatorId} and month = ${month} limit ${atMost}
    ) found`.execute(db);
  return rows[0]?.accounts ?? 0;
}

/** How many established accounts watched the creator in each of these months, in their order; each count stops at `atMost`. */
export async function countEstablished(
  db: Kysely<Tables>,
  which: readonly (Watching & { creatorId: string; atMost: number })[],
): Promise<number[]> {
  const { rows } = await sql<{ accounts: number }>`
    select (
      select count(*)::int from (
        select from creator_viewers c join viewer_months v on v.viewer = c.viewer
        where c.creator_id = a.creator_id and c.month = a.month and ${isEstablished(sql.ref('a.creators'))}
        limit a.at_most) found
    ) as accounts
    from unnest(
      ${which.map((one) => one.creatorId)}::uuid[], ${which.map((one) => one.month)}::text[],
      ${which.map((one) => one.creators)}::int[], ${which.map((one) => one.atMost)}::bigint[]
    ) with ordinality a(creator_id, month, creators, at_most, place) order by place`.execute(db);
  return rows.map(({ accounts }) => accounts);
}

/** The number of pairs of an established account and a creator that it watched in a month. */
export async function countPairs(db: Kysely<Tables>, watching: Watching): Promise<number> {
  const { rows } = await sql<{ pairs: number }>`
    select count(*)::int as pairs from creator_viewers c join viewer_months v on v.viewer = c.viewer
    where c.month = ${watching.month} and ${isEstablished(watching.creators)}`.execute(db);
  return rows[0]?.pairs ?? 0;
}
