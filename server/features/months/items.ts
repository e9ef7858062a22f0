import { type Kysely, sql } from 'kysely';
import type { Cursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { isAdjusted } from './own-works.queries.ts';

export interface CreatorMonth {
  creatorId: string;
  month: string;
  timeZone: string;
}

export interface ItemRow {
  kind: 'reel' | 'post' | 'story';
  id: string;
  caption: string;
  published_at: Date;
  deleted_at: Date | null;
  duplicate: boolean;
  unpaid: 'too_short' | 'still' | null;
  /** Published in this month, not deleted in it, and not a duplicate. */
  earns: boolean;
  /** Its rank among the items of its kind that earn in this month. */
  rank: number;
  /** Showings of a reel. */
  shown: number;
  counted: number;
  /** Views or likes that did not count, by reason. */
  uncounted: Record<string, number>;
}

/**
 * All items of a creator's month: reels, posts and stories that were published, seen or liked in it, including
 * deleted ones. If an item was deleted in the month of its publication, its views and likes do not count (decisions
 * §4).
 */
function items({ creatorId, month, timeZone }: CreatorMonth) {
  const within = (column: string) =>
    sql<boolean>`(${sql.ref(column)} >= (${month} || '-01')::timestamp at time zone ${timeZone}
      and ${sql.ref(column)} < ((${month} || '-01')::timestamp + interval '1 month') at time zone ${timeZone})`;
  const isShown = (table: string) => within(`${table}.published_at`);
  const isDeleted = (table: string) => sql<boolean>`(${isShown(table)}
    and ${sql.ref(`${table}.deleted_at`)} is not null and ${within(`${table}.deleted_at`)})`;
  // A work that was found to be no copy after the month was closed stays one in it: it counts by an adjustment.
  const isCopy = (table: string) =>
    sql<boolean>`(duplicate or ${isAdjusted(`${table}.id`, { creatorIds: [creatorId], month })})`;
  const earns = (table: string, pays = sql`true`) =>
    sql<boolean>`(${isShown(table)} and not ${isCopy(table)} and ${pays} and not ${isDeleted(table)})`;
  return sql`
    select 'reel' as kind, id, caption, published_at, deleted_at, duplicate, unpaid,
      ${earns('reels', sql`unpaid is null`)} as earns,
      coalesce(sum(d.views) filter (where verdict = 'shown'), 0)::bigint as shown,
      coalesce(sum(d.views) filter (where verdict = 'counted' and not ${isDeleted('reels')}), 0)::bigint as counted,
      coalesce(
        jsonb_object_agg(case when verdict = 'counted' then 'deleted' else verdict end, d.views)
          filter (where verdict <> 'shown' and (verdict <> 'counted' or ${isDeleted('reels')})), '{}') as uncounted
    from reels left join (
      select reel_id, verdict, sum(views) as views from reel_days
      where creator_id = ${creatorId} and reel_id in (select id from reels where creator_id = ${creatorId})
        and day >= (${month} || '-01')::date and day < (${month} || '-01')::date + interval '1 month'
      group by 1, 2 having sum(views) > 0
    ) d on d.reel_id = reels.id
    where creator_id = ${creatorId} and published_at is not null and (${isShown('reels')} or d.verdict is not null)
    group by reels.creator_id, reels.id
    union all
    select 'post', id, caption, published_at, deleted_at, duplicate, null, earns, 0,
      coalesce(sum(likes) filter (where reason = 'counted'), 0)::bigint,
      coalesce(jsonb_object_agg(reason, likes) filter (where reason <> 'counted'), '{}')
    from (
      select id, caption, published_at, deleted_at, duplicate, ${earns('posts')} as earns, sum(l.likes) as likes, case
        when l.kind is null or l.kind = 'own' then l.kind
        when ${isCopy('posts')} then 'copy'
        when l.kind = 'taken_back' then l.kind
        when ${isDeleted('posts')} then 'deleted'
        else l.kind end as reason
      from posts left join (
        select post_id, case
          when person_id = creator_id then 'own'
          when undone_at is not null and ${within('post_likes.undone_at')} then 'taken_back'
          else 'counted' end as kind, count(*) as likes
        from post_likes
        where creator_id = ${creatorId} and post_id in (select id from posts where creator_id = ${creatorId})
          and ${within('post_likes.liked_at')}
        group by 1, 2
      ) l on l.post_id = posts.id
      where creator_id = ${creatorId} and (${isShown('posts')} or l.kind is not null)
      group by posts.creator_id, posts.id, reason
    ) judged
    group by id, caption, published_at, deleted_at, duplicate, earns
    union all
    select 'story', id, status_text, published_at, deleted_at, duplicate, null, ${earns('stories')}, 0, 0, '{}'
    from stories where creator_id = ${creatorId} and ${isShown('stories')}`;
}

/** A page of a month's items, newest first. */
export async function listItems(
  db: Kysely<Tables>,
  which: CreatorMonth,
  limit: number,
  after: Cursor | undefined,
): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    select * from (
      select *, (row_number() over (partition by kind, earns order by published_at, id))::int as rank
      from (${items(which)}) item
    ) item
    where ${after?.at ?? null}::timestamptz is null
      or (published_at, id) < (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::uuid)
    order by published_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/** Views and likes of all items in a month that are left over after whole coins of each item. */
export async function sumLeftOvers(
  db: Kysely<Tables>,
  which: CreatorMonth,
  { viewsPerCoin, likesPerCoin }: { viewsPerCoin: number; likesPerCoin: number },
): Promise<{ views: number; likes: number }> {
  const { rows } = await sql<{ views: number; likes: number }>`
    select coalesce(sum(counted % ${viewsPerCoin}) filter (where kind = 'reel'), 0)::bigint as views,
      coalesce(sum(counted % ${likesPerCoin}) filter (where kind = 'post'), 0)::bigint as likes
    from (${items(which)}) item`.execute(db);
  return rows[0] ?? { views: 0, likes: 0 };
}
