import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { FoundMark } from '#contract/operators.ts';
import type { markRules } from '#contract/rates.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { viewCountsIn } from '../views/views.ts';
import type { CircleCreator, WatchingOfSite } from './circles.ts';
import * as settings from './settings.queries.ts';
import { likeCountsIn } from './vouching.queries.ts';

/** A mark of a creator, with its evidence. */
export type CreatorMark = FoundMark & { creatorId: string };

/** What the established accounts that watched a creator have in common. */
interface AccountsOfCreator {
  creatorId: string;
  accounts: number;
  /** The largest number created on one day, and the number of all established accounts created on that day. */
  ofOneDay: number;
  ofThatDay: number;
  /** The largest number that mainly used one network, and the number of all established accounts that mainly used it. */
  ofOneNetwork: number;
  ofThatNetwork: number;
  /**
   * Number of other creators whom nearly all of these accounts watched, though few others did; and for the least watched of them, by how
   * many.
   */
  sameCreators: number;
  sameAccounts: number;
}

/** How the watched views of a creator are spread. */
interface ViewsOfCreator {
  creatorId: string;
  views: number;
  /** By the few viewers with the most views. */
  ofFewViewers: number;
  /** From the few networks with the most views; and the views of all creators from these networks. */
  ofFewNetworks: number;
  ofThoseNetworks: number;
  /** In the consecutive hours of the day with the fewest views. */
  inQuietHours: number;
}

/** Who liked a creator's posts in the month. */
interface LikesOfCreator {
  creatorId: string;
  likes: number;
  /** By the few accounts with the most likes. */
  ofFewLikers: number;
  likers: number;
  /** The largest number whose accounts were created on one day, and the number of all people who joined on that day. */
  ofOneDay: number;
  ofThatDay: number;
  /** Those who watched anything; most of them that watch from one network mainly, and how many accounts of the site do. */
  watching: number;
  ofOneNetwork: number;
  ofThatNetwork: number;
}

/** The creators who may be in a circle, and totals of the site to compare with. */
interface Watching extends WatchingOfSite {
  creators: CircleCreator[];
}

export interface Evidence {
  /** Numbers of established accounts of the month, of all accounts that watched anything, and of people, also of deleted ones. */
  established: number;
  accountsWatching: number;
  people: number;
  /** The graph of viewers and creators, of all accounts and of the established ones. */
  watchingOfAll: Watching;
  watchingOfEstablished: Watching;
  accounts: AccountsOfCreator[];
  views: ViewsOfCreator[];
  likes: LikesOfCreator[];
}

interface Which {
  month: string;
  timeZone: string;
}

const nameOf = (month: string) => `marked ${month}`;

/** Whether a month was marked after its end. */
export const isFinal = async (db: Kysely<Tables>, month: string) =>
  (await settings.findSetting(db, nameOf(month))) !== undefined;

export const setFinal = (trx: Transaction<Tables>, month: string) =>
  settings.insertSetting(trx, nameOf(month), 'final');

/** Watched views that count in a month: also those of works that were wrongly taken for copies, if that was decided in it. */
const countedIn = (month: string) => sql`(
  select v.* from views v where v.verdict = 'counted' and ${viewCountsIn} = ${month})`;

/**
 * The day on which an account was created, from its id: a deleted account has no other record of it. The time of a UUIDv7 is its first 48
 * bits, in milliseconds (RFC 9562 §5.7); `uuid_extract_timestamp` reads it only since PostgreSQL 18.
 */
const joinedOn = (id: string, timeZone: string) => sql`
  (to_timestamp(('x' || left(replace(${sql.ref(id)}::text, '-', ''), 12))::bit(48)::bigint / 1000.0) at time zone ${timeZone})::date`;

const peopleAtOnce = 5000;

/**
 * Fills temporary tables: `established` has the viewer hashes of the established accounts of a month, the day of their creation and the
 * network from which they watched most; `viewer_networks` has this network of all accounts; `watching` the creators whom the established
 * ones watched; `watched_creators` the creators with views, with their viewer hashes. The tables are dropped with the transaction, so that
 * no viewer hash is stored with its person.
 */
export async function gatherAccounts(
  trx: Transaction<Tables>,
  { month, isOver, timeZone }: Which & { isOver: boolean },
  viewerHashOf: (personId: string) => string,
): Promise<void> {
  await sql`create temporary table established (
    viewer bytea primary key, joined_on date not null, network bytea) on commit drop`.execute(trx);
  await forEachViewer(
    sql`
      select person_id as id from ${sql.table(isOver ? 'established_accounts' : 'active_people')} where month = ${month}`,
    { trx, viewerHashOf },
    (hashes) => sql`
      insert into established (viewer, joined_on) select viewer, ${joinedOn('id', timeZone)} from (${hashes}) of`,
  );
  await sql`create temporary table viewer_networks (viewer bytea primary key, network bytea not null) on commit drop`.execute(
    trx,
  );
  await sql`
    insert into viewer_networks (viewer, network)
    select viewer, mode() within group (order by network)
    from ${countedIn(month)} v where signed_in group by viewer`.execute(trx);
  await sql`analyze viewer_networks`.execute(trx);
  await sql`
    update established set network = found.network from viewer_networks found
    where found.viewer = established.viewer`.execute(trx);
  await sql`
    create temporary table watching on commit drop as
    select c.creator_id, c.viewer, e.joined_on, e.network
    from creator_viewers c join established e on e.viewer = c.viewer where c.month = ${month}`.execute(trx);
  await sql`create index on watching (creator_id)`.execute(trx);
  await sql`create index on watching (viewer)`.execute(trx);
  await sql`create temporary table watched_creators (viewer bytea primary key, creator_id uuid not null) on commit drop`.execute(
    trx,
  );
  await forEachViewer(
    sql`select creator_id as id from creator_months where month = ${month} and views > 0`,
    { trx, viewerHashOf },
    (hashes) => sql`insert into watched_creators (viewer, creator_id) select viewer, id from (${hashes}) of`,
  );
  await sql`analyze watched_creators`.execute(trx);
  await sql`analyze established`.execute(trx);
  await sql`analyze watching`.execute(trx);
}

interface Hashing {
  trx: Transaction<Tables>;
  viewerHashOf: (personId: string) => string;
}

/** Runs the statement that `toRun` returns for the ids and viewer hashes of people that a query finds, in batches. */
async function forEachViewer(
  people: RawBuilder<unknown>,
  { trx, viewerHashOf }: Hashing,
  toRun: (hashes: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<void> {
  let after: string | null = null;
  do {
    const { rows }: { rows: { id: string }[] } = await sql<{ id: string }>`
      select id from (${people}) people where ${after}::uuid is null or id > ${after}::uuid
      order by id limit ${peopleAtOnce}`.execute(trx);
    const ids = rows.map(({ id }) => id);
    const hashes = sql`
      select id, decode(hex, 'hex') as viewer from unnest(${ids}::uuid[], ${ids.map(viewerHashOf)}::text[]) as of (id, hex)`;
    await toRun(hashes).execute(trx);
    after = rows.length === peopleAtOnce ? (ids.at(-1) ?? null) : null;
  } while (after !== null);
}

/** The evidence of all creators, from the tables that `gatherAccounts` and `gatherLikers` fill. */
export async function readEvidence(
  trx: Transaction<Tables>,
  which: Which,
  rules: typeof markRules,
): Promise<Evidence> {
  const { rows } = await sql<Pick<Evidence, 'established' | 'accountsWatching' | 'people'>>`
    select (select count(*)::int from established) as established, (select coalesce(sum(people), 0)::int from people_of_days) as people,
      (select count(*)::int from viewer_networks) as "accountsWatching"`.execute(trx);
  return {
    ...(rows[0] ?? { established: 0, accountsWatching: 0, people: 0 }),
    watchingOfAll: await readWatching(
      trx,
      sql`(select creator_id, viewer from creator_viewers where month = ${which.month})`,
      rules,
    ),
    watchingOfEstablished: await readWatching(trx, sql`watching`, rules),
    accounts: await readAccounts(trx, rules),
    views: await readViews(trx, which, rules),
    likes: await readLikes(trx, which, rules),
  };
}

/**
 * Creators who watched others and whom hardly anybody but such creators watched. The query excludes as many as possible: on an honest site
 * nearly all creators have viewers who are not creators. Nodes are numbers, because there may be millions of pairs.
 */
async function readWatching(
  trx: Transaction<Tables>,
  watching: RawBuilder<unknown>,
  { commonShare, leastNeighbours }: typeof markRules,
): Promise<Watching> {
  const { rows: site } = await sql<WatchingOfSite>`
    select count(*)::int as pairs, count(distinct viewer)::int as accounts from ${watching} w`.execute(trx);
  const { rows: creators } = await sql<CircleCreator>`
    with creators as materialized (
      select row_number() over ()::int as place, of.creator_id, viewer, count(*)::int as watched
      from watched_creators of join ${watching} w using (viewer)
      group by of.creator_id, viewer having count(*) >= ${leastNeighbours}
    )
    select c.creator_id as "creatorId", c.place, c.watched, count(*)::int as accounts,
      array_agg(v.place) filter (where v.place is not null) as by
    from creators c join ${watching} w on w.creator_id = c.creator_id left join creators v on v.viewer = w.viewer
    group by c.creator_id, c.place, c.watched
    having count(v.place) >= ${leastNeighbours} and count(v.place) >= ${commonShare}::numeric * count(*)`.execute(
    trx,
  );
  return { pairs: 0, accounts: 0, ...site[0], creators };
}

/** Accounts of each creator that are compared with the viewers of other creators; more would cost a night and find the same. */
const sample = 50;

async function readAccounts(
  trx: Transaction<Tables>,
  { leastAccounts, commonShare, timesUsual }: typeof markRules,
): Promise<AccountsOfCreator[]> {
  const { rows } = await sql<AccountsOfCreator>`
    with total as (select count(*)::numeric as established from established),
    judged as (
      select creator_id, count(*)::int as accounts from watching group by creator_id having count(*) >= ${leastAccounts}
    ),
    days as (
      select distinct on (creator_id) creator_id, count(*)::int as found,
        (select count(*)::int from established e where e.joined_on = w.joined_on) as of_site
      from judged join watching w using (creator_id)
      group by creator_id, joined_on order by creator_id, count(*) desc
    ),
    networks as (
      select distinct on (creator_id) creator_id, count(*)::int as found,
        (select count(*)::int from established e where e.network = w.network) as of_site
      from judged join watching w using (creator_id) where network is not null
      group by creator_id, network order by creator_id, count(*) desc
    ),
    company as (
      select j.creator_id, j.accounts, other.creator_id as other, count(*)::int as found,
        least(j.accounts, ${sample})::int as looked_at
      from judged j cross join lateral (select viewer from watching where creator_id = j.creator_id order by viewer limit ${sample}) sampled
      join watching other on other.viewer = sampled.viewer and other.creator_id <> j.creator_id
      group by j.creator_id, other.creator_id, j.accounts
      having count(*) >= ${commonShare}::numeric * least(j.accounts, ${sample})
    ),
    same as (
      select c.creator_id, count(*)::int as creators, min(c.found)::int as found
      from company c cross join total cross join lateral (select count(*) as watched from watching where creator_id = c.other) popular
      where total.established - c.accounts >= ${leastAccounts} and c.found * (total.established - c.accounts)
        >= ${timesUsual}::numeric * (c.looked_at * popular.watched - c.found * c.accounts)
      group by c.creator_id
    )
    select creator_id as "creatorId", accounts, coalesce(days.found, 0) as "ofOneDay", coalesce(days.of_site, 0) as "ofThatDay",
      coalesce(networks.found, 0) as "ofOneNetwork", coalesce(networks.of_site, 0) as "ofThatNetwork",
      coalesce(same.creators, 0) as "sameCreators", coalesce(same.found, 0) as "sameAccounts"
    from judged left join days using (creator_id) left join networks using (creator_id)
    left join same using (creator_id)`.execute(trx);
  return rows;
}

async function readViews(
  trx: Transaction<Tables>,
  { month, timeZone }: Which,
  { few, leastViews, quietHours }: typeof markRules,
): Promise<ViewsOfCreator[]> {
  const views = countedIn(month);
  await sql`
    create temporary table network_views on commit drop as
    select w.creator_id, w.network, count(*)::int as views
    from creator_months m join ${views} w on w.creator_id = m.creator_id
    where m.month = ${month} and m.views > 0 and w.network is not null group by w.creator_id, w.network`.execute(
    trx,
  );
  await sql`create index on network_views (network)`.execute(trx);
  await sql`create index on network_views (creator_id)`.execute(trx);
  await sql`analyze network_views`.execute(trx);
  const { rows } = await sql<ViewsOfCreator>`
    select m.creator_id as "creatorId", spread.views, viewers.views as "ofFewViewers",
      coalesce(networks.views, 0)::int as "ofFewNetworks", coalesce(networks.of_all, 0)::int as "ofThoseNetworks",
      quiet.views as "inQuietHours"
    from creator_months m,
    lateral (
      select count(*)::int as views from ${views} w where w.creator_id = m.creator_id
    ) spread,
    lateral (
      select coalesce(sum(views), 0)::int as views from (
        select count(*) as views from ${views} w where w.creator_id = m.creator_id
        group by viewer order by 1 desc limit ${few}
      ) most
    ) viewers,
    lateral (
      select sum(most.views) as views, sum((select sum(n.views) from network_views n where n.network = most.network)) as of_all
      from (
        select network, views from network_views n where n.creator_id = m.creator_id order by views desc limit ${few}
      ) most
    ) networks,
    lateral (
      with hours as (
        select extract(hour from watched_at at time zone ${timeZone})::int as hour, count(*) as views
        from ${views} w where w.creator_id = m.creator_id group by 1
      )
      select min(views)::int as views from (
        select coalesce(sum(h.views), 0) as views from generate_series(0, 23) as begin
        left join hours h on (h.hour - begin + 24) % 24 < ${quietHours} group by begin
      ) rows
    ) quiet
    where m.month = ${month} and m.views >= ${leastViews}`.execute(trx);
  return rows;
}

/**
 * Fills temporary tables with those whose likes count for creators with this many likes in the month, how many likes each of them gave, and
 * the network from which each of them watches; those who watched nothing have none. `people_of_days` has how many people joined on each day:
 * those who exist, and the deleted ones among these accounts and among those that watched much in the month.
 */
export async function gatherLikers(
  trx: Transaction<Tables>,
  { month, timeZone, leastLikes }: Which & { leastLikes: number },
  viewerHashOf: (personId: string) => string,
): Promise<void> {
  await sql`
    create temporary table likers on commit drop as
    select p.creator_id, l.person_id, count(*)::int as likes
    from creator_months m join posts p on p.creator_id = m.creator_id join post_likes l on l.post_id = p.id
    where m.month = ${month} and m.likes >= ${leastLikes} and ${likeCountsIn({ month, timeZone })}
    group by 1, 2`.execute(trx);
  await sql`create index on likers (person_id)`.execute(trx);
  await sql`analyze likers`.execute(trx);
  await sql`
    create temporary table people_of_days on commit drop as
    select ${joinedOn('id', timeZone)} as joined_on, count(*)::int as people
    from (
      select id from people union select person_id from likers
      union select person_id from active_people where month = ${month}
    ) all_people
    group by 1`.execute(trx);
  await sql`create temporary table liker_networks (person_id uuid primary key, network bytea not null) on commit drop`.execute(
    trx,
  );
  await forEachViewer(
    sql`select distinct person_id as id from likers`,
    { trx, viewerHashOf },
    (hashes) => sql`
      insert into liker_networks (person_id, network)
      select of.id, n.network from (${hashes}) of join viewer_networks n on n.viewer = of.viewer`,
  );
  await sql`analyze liker_networks`.execute(trx);
}

async function readLikes(
  trx: Transaction<Tables>,
  { timeZone }: Which,
  { few }: typeof markRules,
): Promise<LikesOfCreator[]> {
  const { rows } = await sql<LikesOfCreator>`
    with of_all as (
      select creator_id, sum(likes)::int as likes, (sum(likes) filter (where place <= ${few}))::int as of_few
      from (
        select creator_id, likes, row_number() over (partition by creator_id order by likes desc) as place from likers
      ) ranked
      group by creator_id
    ),
    of_days as (
      select creator_id, ${joinedOn('person_id', timeZone)} as joined_on, count(*)::int as found from likers group by 1, 2
    ),
    most as (
      select distinct on (creator_id) creator_id, joined_on, found,
        sum(found) over (partition by creator_id)::int as likers
      from of_days order by creator_id, found desc
    ),
    networks as (
      select distinct on (creator_id) creator_id, network, count(*)::int as found,
        sum(count(*)) over (partition by creator_id)::int as watching
      from likers join liker_networks using (person_id) group by creator_id, network
      order by creator_id, count(*) desc
    ),
    of_site as (select network, count(*)::int as accounts from viewer_networks group by network)
    select creator_id as "creatorId", likes, of_few as "ofFewLikers", coalesce(likers, 0) as likers,
      coalesce(most.found, 0) as "ofOneDay", coalesce(people_of_days.people, 0) as "ofThatDay",
      coalesce(networks.watching, 0) as watching, coalesce(networks.found, 0) as "ofOneNetwork",
      coalesce(of_site.accounts, 0) as "ofThatNetwork"
    from of_all left join most using (creator_id) left join people_of_days using (joined_on)
    left join networks using (creator_id)
    left join of_site using (network)`.execute(trx);
  return rows;
}

/** Replaces the marks of a month. */
export async function replaceMarks(
  trx: Transaction<Tables>,
  month: string,
  marks: readonly CreatorMark[],
  now: Date,
): Promise<void> {
  await trx.deleteFrom('month_marks').where('month', '=', month).execute();
  const column = (name: 'creatorId' | 'mark' | 'found' | 'of') => marks.map((mark) => mark[name]);
  await sql`
    insert into month_marks (creator_id, month, mark, found, out_of, found_at)
    select creator_id, ${month}, mark, found, out_of, ${now} from unnest(
      ${column('creatorId')}::uuid[], ${column('mark')}::text[], ${column('found')}::int[], ${column('of')}::int[]
    ) as marks (creator_id, mark, found, out_of)`.execute(trx);
}
