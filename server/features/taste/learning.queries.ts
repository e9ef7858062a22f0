import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

/** How it is learned what is watched next (docs/decisions/0096-for-you.md). */
export interface LearningRules {
  /** How far apart two reels may stand in the order in which somebody watched; the weight is 1 / distance. */
  distance: number;
  /** The weight of what was watched before, against what was watched after. */
  before: number;
  /** A pair counts from so many people on, and from this share of those who watched the first one. */
  people: number;
  share: number;
  /** Sums are divided by the root of the number of those who watched the next one and this. */
  damping: number;
  /** Reels that are kept for each. */
  kept: number;
  /** Of each person the newest so many count. */
  watched: number;
}

const minutes = 60;

/** Tables that live as long as the transaction. None has a person and what they watched. */
export async function beginLearning(trx: Transaction<Tables>): Promise<void> {
  await sql`
    set local statement_timeout = ${sql.lit(`${minutes}min`)};
    set local work_mem = '64MB';
    create temporary table learning_viewers (viewer bytea primary key, number int generated always as identity) on commit drop;
    create temporary table learned (reel_id uuid, next_id uuid, weight real, people int, primary key (reel_id, next_id)) on commit drop`.execute(
    trx,
  );
}

/** The next people, by id, who were active since a month, and whose account is as old as those that vouch for a creator. */
export async function listEstablished(
  db: Kysely<Tables>,
  { month, joinedBefore, hasMail }: { month: string; joinedBefore: Date; hasMail: boolean },
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from people p
    where p.id > ${after} and p.suspended_at is null and p.created_at < ${joinedBefore}
      and (not ${hasMail}::boolean or p.email_verified_at is not null)
      and exists (select from active_people a where a.person_id = p.id and a.month >= ${month})
    order by p.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

export async function addViewers(trx: Transaction<Tables>, viewers: readonly string[]): Promise<void> {
  await sql`
    insert into learning_viewers (viewer) select decode(hex, 'hex') from unnest(${viewers}::text[]) hex
    on conflict do nothing`.execute(trx);
}

/** What these viewers watched since a day, in the order in which each of them first did; returns how many reels enough of them watched. */
export async function readWatched(
  trx: Transaction<Tables>,
  since: string,
  rules: Pick<LearningRules, 'people' | 'watched'>,
): Promise<number> {
  await sql`
    create temporary table watched_in_order on commit drop as
    select viewer, reel_id, place::int from (
      select number as viewer, reel_id, row_number() over (partition by number order by min(shown_at), reel_id) as place,
        count(*) over (partition by number) as many
      from views join learning_viewers using (viewer)
      where day >= ${since}::date and signed_in and verdict = 'counted' group by 1, 2
    ) one where place > many - ${rules.watched}`.execute(trx);
  await sql`
    create temporary table learning_reels on commit drop as
    select row_number() over ()::int as number, reel_id, many from (
      select reel_id, count(*)::int as many from watched_in_order join works on works.id = reel_id
      where published_at is not null group by 1 having count(*) >= ${rules.people}
    ) reel`.execute(trx);
  await sql`
    create temporary table learning_watched on commit drop as
    select viewer, place, number as reel from watched_in_order join learning_reels using (reel_id)`.execute(
    trx,
  );
  await sql`create index on learning_watched (viewer, place) include (reel)`.execute(trx);
  await sql`create index on learning_watched (reel)`.execute(trx);
  await sql`create unique index on learning_reels (number)`.execute(trx);
  await sql`analyze learning_watched`.execute(trx);
  await sql`analyze learning_reels`.execute(trx);
  const { rows } = await sql<{ reels: number }>`select count(*)::int as reels from learning_reels`.execute(
    trx,
  );
  return rows[0]?.reels ?? 0;
}

/** Learns what is next to the reels with these numbers. A viewer has watched a reel once, so it counts once for a pair. */
export async function learnNext(
  trx: Transaction<Tables>,
  numbers: { from: number; to: number },
  rules: LearningRules,
): Promise<void> {
  await sql`
    insert into learned (reel_id, next_id, weight, people)
    select reel_id, next_id, weight, people from (
      select f.reel_id, n.reel_id as next_id, pair.people, pair.sum / sqrt(n.many + ${rules.damping}::int) as weight,
        row_number() over (partition by pair.reel order by pair.sum / sqrt(n.many + ${rules.damping}::int) desc, n.reel_id) as place
      from (
        select a.reel, b.reel as next, count(*)::int as people,
          sum(case when b.place > a.place then 1 else ${rules.before}::float8 end / abs(b.place - a.place)) as sum
        from learning_watched a join learning_watched b on b.viewer = a.viewer and b.place <> a.place
          and b.place between a.place - ${rules.distance}::int and a.place + ${rules.distance}::int
        where a.reel between ${numbers.from} and ${numbers.to} group by 1, 2 having count(*) >= ${rules.people}
      ) pair join learning_reels f on f.number = pair.reel join learning_reels n on n.number = pair.next
      where pair.people >= f.many * ${rules.share}::float8
    ) each where place <= ${rules.kept}`.execute(trx);
}

/** Replaces what was learned before. Rows that are the same stay. */
export async function putLearned(trx: Transaction<Tables>): Promise<number> {
  // PostgreSQL knows nothing of a temporary table, and would look each row up that goes.
  await sql`analyze learned`.execute(trx);
  await sql`
    delete from next_reels o where not exists (
      select from learned l where l.reel_id = o.reel_id and l.next_id = o.next_id)`.execute(trx);
  await sql`
    insert into next_reels as o select reel_id, next_id, weight, people from learned
    on conflict (reel_id, next_id) do update set weight = excluded.weight, people = excluded.people
    where (o.weight, o.people) <> (excluded.weight, excluded.people)`.execute(trx);
  const { rows } = await sql<{ pairs: number }>`select count(*)::int as pairs from learned`.execute(trx);
  return rows[0]?.pairs ?? 0;
}

const most = { category: 200, all: 300 };
/** The most watched reels that are looked at, and the newest, which follow after the most watched ones of their category. */
const looked = 20_000;

/** Counts the most watched reels again, since a day. */
export async function putTopReels(trx: Transaction<Tables>, since: string): Promise<void> {
  await sql`delete from top_reels`.execute(trx);
  await sql`
    with watched as (
      select reel_id as id, sum(views)::bigint as views from reel_days
      where day >= ${since}::date and verdict = 'counted' group by 1 having sum(views) > 0 order by 2 desc, 1 limit ${looked}
    ),
    newest as (
      select id from works where kind = 'reel' and published_at is not null order by published_at desc, id desc limit ${looked}
    ),
    listed as materialized (
      select w.id, w.creator_id, w.categories, coalesce(watched.views, 0) as views
      from watched full join newest using (id) join works w using (id) join people p on p.id = w.creator_id
      where w.published_at is not null and p.suspended_at is null
    ),
    originals as materialized (
      select listed.id, listed.categories, listed.views from listed join reels w using (creator_id, id) where not w.duplicate
    ),
    placed as (
      select category, id, views, row_number() over (partition by category order by views desc, id desc) as place
      from (
        select '' as category, id, views from originals where views > 0
        union all select category, id, views from originals, unnest(categories) category
      ) one
    )
    insert into top_reels (category, place, reel_id, views)
    select category, place, id, views from placed
    where place <= case when category = '' then ${most.all}::int else ${most.category}::int end`.execute(trx);
}
