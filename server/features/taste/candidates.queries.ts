import { type Kysely, type RawBuilder, sql } from 'kysely';
import { notBlocked } from '#server/platform/database/not-blocked.ts';
import type { Tables } from '#server/platform/database/tables.ts';

export type Source = 'next' | 'category' | 'followed' | 'popular' | 'newest' | 'fresh';

/** A reel that may be ranked, once for each source. */
export interface Found {
  source: Source;
  id: string;
  creatorId: string;
  username: string;
  categories: string[];
  /**
   * Of `next` the sum of weights, of `category` the weight of the categories in which it is a top reel, of `followed` its age in days, of
   * `popular` and `newest` its place.
   */
  score: number;
  /** Of `next` the place of the watched reel that counts most, from 1; of `category` the category. */
  about: string;
}

export interface Wanted {
  viewerId: string | undefined;
  /** Watched reels, each with the weight of what comes next to it. */
  watched: readonly { id: string; weight: number }[];
  categories: readonly { category: string; weight: number }[];
  /** Reels and people that are left out. */
  without: { reels: readonly string[]; people: readonly string[] };
  /** Reels with words that match this tsquery are left out. */
  words: string | undefined;
  fresh: Fresh;
  now: Date;
}

/** What has a fair share (decisions §3, docs/decisions/0096-for-you.md). */
export interface Fresh {
  /** From 0 to 1: where in the last 24 hours the search for reels that few have seen begins. */
  start: number;
  hasMail: boolean;
}

/** Reels that are taken from a source, and how many the newest are looked through for them. */
const most = { next: 150, category: 150, popular: 100, newest: 160, followed: 60, fresh: 40 };
const looked = { newest: 2000, fresh: 500, followed: 1000 };
/** A new reel has a fair share until it was shown so often, and of a creator so many of 24 hours. */
export const freshRules = { shown: 100, ofCreator: 3, hours: 24 } as const;

/** Everything that may be ranked, by one query. */
export async function listCandidates(db: Kysely<Tables>, wanted: Wanted): Promise<Found[]> {
  const { viewerId, without, words, now } = wanted;
  const isPublic = sql`w.state = 'ready' and w.deleted_at is null and w.taken_down_at is null`;
  const isAllowed = sql`p.suspended_at is null and ${notBlocked(viewerId, 'w.creator_id')}
    and w.creator_id is distinct from ${viewerId ?? null}::uuid
    and w.id <> all(${without.reels}::uuid[]) and w.creator_id <> all(${without.people}::uuid[])
    and ${words ? sql`(select s.words @@ ${words}::tsquery from search_entries s where s.id = w.id) is not true` : sql`true`}`;
  const row = (source: Source, score: RawBuilder<unknown>, about: RawBuilder<unknown>) => sql`
    select ${sql.lit(source)} as source, w.id, w.creator_id as "creatorId", p.username, w.categories,
      (${score})::float8 as score, (${about})::text as about`;
  const none = sql`''`;
  const withPeople = sql`join people p on p.id = w.creator_id`;
  const sources = [
    sql`(${row('next', sql`n.score`, sql`n.about`)} from (
        select n.next_id, sum(n.weight * h.weight) as score, (array_agg(h.place order by n.weight * h.weight desc))[1] as about
        from unnest(${wanted.watched.map(({ id }) => id)}::uuid[], ${wanted.watched.map(({ weight }) => weight)}::float8[])
          with ordinality h (id, weight, place)
        join next_reels n on n.reel_id = h.id where n.next_id <> all(${without.reels}::uuid[])
        group by 1 order by 2 desc, 1 limit ${sql.lit(most.next)}
      ) n join reels w on w.id = n.next_id ${withPeople} where ${isPublic} and ${isAllowed})`,
    sql`(${row('category', sql`t.score`, sql`t.about`)} from (
        select t.reel_id, sum(c.weight / (t.place + 20)) as score, (array_agg(t.category order by c.weight desc))[1] as about
        from unnest(${wanted.categories.map(({ category }) => category)}::text[], ${wanted.categories.map(({ weight }) => weight)}::float8[])
          c (category, weight)
        join top_reels t on t.category = c.category where t.reel_id <> all(${without.reels}::uuid[])
        group by 1 order by 2 desc, 1 limit ${sql.lit(most.category)}
      ) t join reels w on w.id = t.reel_id ${withPeople} where ${isPublic} and ${isAllowed})`,
    sql`(${row('popular', sql`t.place`, none)} from (
        select reel_id, place from top_reels
        where category = '' and reel_id <> all(${without.reels}::uuid[]) order by place limit ${sql.lit(most.popular)}
      ) t join reels w on w.id = t.reel_id ${withPeople} where ${isPublic} and ${isAllowed})`,
    sql`(${row('newest', sql`row_number() over (order by w.published_at desc, w.id desc)`, none)} from (
        select * from (
          select * from reels w where ${isPublic} order by published_at desc, id desc limit ${sql.lit(looked.newest)}
        ) w where w.id <> all(${without.reels}::uuid[])
      ) w ${withPeople} where ${isAllowed} order by w.published_at desc, w.id desc limit ${sql.lit(most.newest)})`,
    sql`(select * from (${row('fresh', sql`w.views`, none)} from (${fresh(wanted)}) w ${withPeople} where ${isAllowed}
        and w.views < ${sql.lit(freshRules.shown)} and not w.duplicate and ${wanted.fresh.hasMail ? sql`p.email_verified_at is not null` : sql`true`}
        and ${earlierOfCreator} < ${sql.lit(freshRules.ofCreator)}) few order by score limit ${sql.lit(most.fresh)})`,
  ];
  if (viewerId)
    sources.push(sql`(${row('followed', sql`extract(epoch from ${now}::timestamptz - w.published_at) / 86400`, none)} from (
        select f.followee_id as id from (
          select followee_id from follows where follower_id = ${viewerId} order by followed_at desc limit ${sql.lit(looked.followed)}
        ) f, lateral (
          select published_at from reels w where w.creator_id = f.followee_id and ${isPublic} order by published_at desc limit 1
        ) newest order by published_at desc limit 30
      ) creator, lateral (
        select * from reels w where w.creator_id = creator.id and ${isPublic} and w.id <> all(${without.reels}::uuid[])
        order by published_at desc limit 5
      ) w ${withPeople} where ${isAllowed} order by w.published_at desc limit ${sql.lit(most.followed)})`);
  const { rows } = await sql<Found>`${sql.join(sources, sql` union all `)}`.execute(db);
  return rows;
}

/**
 * Reels of the last 24 hours from a random one backwards, and on from the newest one: on a site that publishes more of them than are looked
 * through, every one has its turn. Those that fewest have seen come first.
 */
function fresh({ now, fresh: { start } }: Wanted): RawBuilder<unknown> {
  const day = freshRules.hours * 60 * 60 * 1000;
  const since = new Date(now.getTime() - day);
  const from = new Date(now.getTime() - start * day);
  const between = (after: Date, until: Date) => sql`(
    select * from reels where state = 'ready' and deleted_at is null and taken_down_at is null
      and published_at > ${after} and published_at <= ${until} order by published_at desc, id desc limit ${sql.lit(looked.fresh)})`;
  return sql`${between(since, from)} union all ${between(from, now)} limit ${sql.lit(looked.fresh)}`;
}

/** How many reels the creator of `w` published within 24 hours before it, deleted ones included; counted up to the number that matters. */
const earlierOfCreator = sql`(select count(*) from (
  select from reels o where o.creator_id = w.creator_id and o.published_at > w.published_at - make_interval(hours => ${sql.lit(freshRules.hours)})
    and (o.published_at, o.id) < (w.published_at, w.id) limit ${sql.lit(freshRules.ofCreator)}) earlier)`;
