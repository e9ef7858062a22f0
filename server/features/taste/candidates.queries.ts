import { type Kysely, type RawBuilder, sql } from 'kysely';
import { blockedPeople } from '#server/platform/database/not-blocked.ts';
import type { Tables } from '#server/platform/database/tables.ts';

export type Source = 'next' | 'category' | 'followed' | 'popular' | 'newest' | 'fresh';

/** A reel that may be ranked, once for each source. */
export interface Found {
  source: Source;
  id: string;
  creatorId: string;
  /** Of the creator, if the source is `followed`. */
  username: string | null;
  categories: string[];
  /**
   * Of `next` the sum of weights, of `category` the weight of the categories in which it is a top reel, of `followed` its age in days, of
   * `popular` and `newest` its place.
   */
  score: number;
  /** Of `next` the place of the watched reel that counts most, from 1; of `category` the place of the category. */
  about: number;
}

export interface Wanted {
  viewerId: string | undefined;
  /** Watched reels, each with the weight of what comes next to it. */
  watched: readonly { id: string; weight: number }[];
  /** Those that count most come first. */
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

/** Reels that are taken from a source, and how many are looked through for them: of each category, the newest, and people. */
const most = { next: 150, category: 100, popular: 60, newest: 100, followed: 60, fresh: 40 };
const looked = { category: 75, newest: 2000, fresh: 500, followed: 1000 };
/** A new reel has a fair share until it was shown so often, and of a creator so many of 24 hours. */
export const freshRules = { shown: 100, ofCreator: 3, hours: 24 } as const;

/**
 * All candidates of the ranking, by one query. Sources of what was counted before select ids; whether a reel is public and allowed for the
 * viewer is checked afterwards, once for each. Sources that select a few of many reels check it themselves, since else hidden reels would take
 * their places.
 */
export async function listCandidates(db: Kysely<Tables>, wanted: Wanted): Promise<Found[]> {
  const { viewerId, without, words } = wanted;
  const isAllowed = sql`p.suspended_at is null and w.creator_id not in (table hidden)
    and ${words ? sql`(select s.words @@ ${words}::tsquery from search_entries s where s.id = w.id) is not true` : sql`true`}`;
  const counted = sql.join([next(wanted), category(wanted), popular], sql` union all `);
  const checked = sql.join(
    [
      newest(isAllowed),
      fresh(wanted, isAllowed),
      ...(viewerId ? [followed(viewerId, wanted.now, isAllowed)] : []),
    ],
    sql` union all `,
  );
  const { rows } = await sql<Found>`
    with seen (id) as materialized (select unnest(${without.reels}::uuid[])),
    hidden (id) as materialized (
      select unnest(${[...without.people, ...(viewerId ? [viewerId] : [])]}::uuid[]) union all ${blockedPeople(viewerId)}
    )
    select found.source, w.id, found.score, found.about, w.creator_id as "creatorId", w.categories, null::text as username
    from (${counted}) found (source, id, score, about), lateral (
      select w.id, w.creator_id, w.categories from works w join people p on p.id = w.creator_id
      where w.id = found.id and w.published_at is not null and ${isAllowed} limit 1
    ) w
    union all ${checked}`.execute(db);
  return rows;
}

/** The public reels among `works w`. */
const publicReels = sql`w.kind = 'reel' and w.published_at is not null`;

/** Of `w`: the limit lets PostgreSQL look one up after the other, and no more than are needed. */
const creator = sql`select username, suspended_at, email_verified_at from people where id = w.creator_id limit 1`;

const next = ({ watched }: Wanted) => sql`(
  select 'next', n.next_id, sum(n.weight * h.weight) as score, (array_agg(h.place order by n.weight * h.weight desc))[1]::int
  from unnest(${watched.map(({ id }) => id)}::uuid[], ${watched.map(({ weight }) => weight)}::float8[])
    with ordinality h (id, weight, place)
  join next_reels n on n.reel_id = h.id where n.next_id not in (table seen)
  group by n.next_id order by score desc, n.next_id limit ${sql.lit(most.next)})`;

const category = ({ categories }: Wanted) => sql`(
  select 'category', t.reel_id, sum(c.weight / (t.place + 20)) as score, min(c.place)::int
  from unnest(${categories.map((one) => one.category)}::text[], ${categories.map(({ weight }) => weight)}::float8[])
    with ordinality c (category, weight, place),
    lateral (
      select reel_id, place from top_reels where category = c.category and reel_id not in (table seen)
      order by place limit ${sql.lit(looked.category)}
    ) t
  group by t.reel_id order by score desc, t.reel_id limit ${sql.lit(most.category)})`;

const popular = sql`(
  select 'popular', t.reel_id, t.place::float8, 0 from top_reels t
  where t.category = '' and t.reel_id not in (table seen) order by t.place limit ${sql.lit(most.popular)})`;

const newest = (isAllowed: RawBuilder<unknown>) => sql`(
  select 'newest', w.id, row_number() over (order by w.published_at desc, w.id desc)::float8, 0, w.creator_id, w.categories, null from (
    select w.id, w.creator_id, w.categories, w.published_at from works w where ${publicReels}
    order by published_at desc, id desc limit ${sql.lit(looked.newest)}
  ) w, lateral (${creator}) p
  where w.id not in (table seen) and ${isAllowed} order by w.published_at desc, w.id desc limit ${sql.lit(most.newest)})`;

const followed = (viewerId: string, now: Date, isAllowed: RawBuilder<unknown>) => sql`(
  select 'followed', w.id, extract(epoch from ${now}::timestamptz - w.published_at)::float8 / 86400, 0, w.creator_id, w.categories, p.username from (
    select f.followee_id as id, newest.published_at from (
      select followee_id from follows where follower_id = ${viewerId} order by followed_at desc limit ${sql.lit(looked.followed)}
    ) f, lateral (
      select published_at from works w where w.creator_id = f.followee_id and ${publicReels} order by published_at desc limit 1
    ) newest order by newest.published_at desc limit 30
  ) creator, lateral (
    select w.id, w.creator_id, w.categories, w.published_at from works w
    where w.creator_id = creator.id and ${publicReels} and w.id not in (table seen) order by published_at desc limit 5
  ) w, lateral (${creator}) p where ${isAllowed} order by w.published_at desc limit ${sql.lit(most.followed)})`;

/**
 * Reels of the last 24 hours from a random one backwards, and on from the newest one: on a site that publishes more of them than are looked
 * through, every one has its turn. Those that fewest have seen come first.
 */
function fresh({ now, fresh: { start, hasMail } }: Wanted, isAllowed: RawBuilder<unknown>) {
  const day = freshRules.hours * 60 * 60 * 1000;
  const since = new Date(now.getTime() - day);
  const from = new Date(now.getTime() - start * day);
  const between = (after: Date, until: Date) => sql`(
    select w.id, w.creator_id, w.categories from works w
    where ${publicReels} and published_at > ${after} and published_at <= ${until}
    order by published_at desc, id desc limit ${sql.lit(looked.fresh)})`;
  return sql`(
    with few as materialized (
      select w.*, r.views
      from (${between(since, from)} union all ${between(from, now)} limit ${sql.lit(looked.fresh)}) w
      join reels r on r.creator_id = w.creator_id and r.id = w.id
      where r.views < ${sql.lit(freshRules.shown)} and not r.duplicate and w.id not in (table seen)
        and ${earlierOfCreator} < ${sql.lit(freshRules.ofCreator)})
    select 'fresh', w.id, w.views::float8, 0, w.creator_id, w.categories, null from (
      select * from few order by views
    ) w, lateral (${creator}) p
    where ${isAllowed} and ${hasMail ? sql`p.email_verified_at is not null` : sql`true`}
    order by w.views limit ${sql.lit(most.fresh)})`;
}

/** How many reels the creator of `r` published within 24 hours before it, deleted ones included. */
const earlierOfCreator = sql`(
  select count(*) from reels o where o.creator_id = r.creator_id
    and o.published_at > r.published_at - make_interval(hours => ${sql.lit(freshRules.hours)}) and (o.published_at, o.id) < (r.published_at, r.id))`;
