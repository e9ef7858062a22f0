import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

/** In the transaction of a count: on a large site each of its statements may take minutes. */
export async function beginCounting(trx: Transaction<Tables>): Promise<void> {
  await sql`set local statement_timeout = '15min'`.execute(trx);
}

/** The first and the last day that were counted; undefined before the first count. */
export async function countedDays(db: Kysely<Tables>) {
  const { rows } = await sql<{ first: string; last: string; hasBytes: boolean }>`
    select (select min(day) from site_days)::text as first, day::text as last, stored_bytes is not null as "hasBytes"
    from site_days order by day desc limit 1`.execute(db);
  return rows[0];
}

/** The day of the first sign-up; undefined on a site without people. */
export async function firstDay(db: Kysely<Tables>, timeZone: string): Promise<string | undefined> {
  const { rows } = await sql<{ day: string | null }>`
    select (min(created_at) at time zone ${timeZone})::date::text as day from people`.execute(db);
  return rows[0]?.day ?? undefined;
}

export interface Days {
  /** YYYY-MM-DD, both included. */
  from: string;
  to: string;
  timeZone: string;
  now: Date;
}

/**
 * Counts these days from their events, and stores them in the place of what was stored before. Each table is read by an index on its time;
 * ids begin with it.
 */
export async function countDays(db: Kysely<Tables>, { from, to, timeZone, now }: Days): Promise<void> {
  const begin = sql`(${from}::date)::timestamp at time zone ${timeZone}`;
  const end = sql`(${to}::date + 1)::timestamp at time zone ${timeZone}`;
  const idAt = (time: typeof begin) =>
    sql`(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;
  const day = (column: string) => sql`(${sql.ref(column)} at time zone ${timeZone})::date`;
  const uploaded = (table: string, at: string) => sql`
    select ${day(at)} as day, count(*) as count from ${sql.ref(table)}
    where id >= ${idAt(begin)} and id < ${idAt(end)} group by 1`;
  await sql`
    insert into site_days (day, sign_ups, uploads, shown, watched, earned_paise, paid_paise, counted_at)
    select d.day::date, coalesce(p.count, 0), coalesce(u.count, 0), coalesce(v.shown, 0), coalesce(v.watched, 0),
      coalesce(l.earned, 0), coalesce(l.paid, 0), ${now}
    from generate_series(${from}::date, ${to}::date, interval '1 day') d(day)
    left join (
      select ${day('created_at')} as day, count(*) as count from people
      where created_at >= ${begin} and created_at < ${end} group by 1
    ) p on p.day = d.day
    left join (
      select day, sum(count) as count from (
        ${uploaded('reels', 'uploaded_at')} union all ${uploaded('posts', 'published_at')}
        union all ${uploaded('stories', 'published_at')}
      ) works group by 1
    ) u on u.day = d.day
    left join (
      select day, sum(views) filter (where verdict = 'shown') as shown,
        sum(views) filter (where verdict in ('counted', 'copy', 'deleted')) as watched
      from reel_days where day between ${from}::date and ${to}::date group by 1
    ) v on v.day = d.day
    left join (
      select ${day('posted_at')} as day,
        sum(case step when 'requested' then paise when 'rejected' then -paise else 0 end) as earned,
        sum(case step when 'completed' then paise when 'returned' then -paise else 0 end) as paid
      from ledger_transactions where posted_at >= ${begin} and posted_at < ${end} group by 1
    ) l on l.day = d.day
    on conflict (day) do update set sign_ups = excluded.sign_ups, uploads = excluded.uploads, shown = excluded.shown,
      watched = excluded.watched, earned_paise = excluded.earned_paise, paid_paise = excluded.paid_paise,
      counted_at = excluded.counted_at`.execute(db);
}

export async function setBytes(db: Kysely<Tables>, day: string, bytes: number): Promise<void> {
  await sql`
    update site_days set stored_bytes = ${bytes} where day = ${day}::date and stored_bytes is null`.execute(
    db,
  );
}

/** The days since this one, oldest first. */
export async function listDays(db: Kysely<Tables>, since: string) {
  return await db
    .selectFrom('site_days')
    .selectAll()
    .select(sql<string>`day::text`.as('day'))
    .where('day', '>=', sql<string>`${since}::date`)
    .orderBy('site_days.day')
    .execute();
}
