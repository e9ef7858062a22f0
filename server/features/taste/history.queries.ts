import { type Kysely, sql } from 'kysely';
import type { WatchedReel } from '#contract/taste.ts';
import { notBlocked } from '#server/platform/database/not-blocked.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/** A reel that was watched to the end and is public now. */
export interface PastReel {
  id: string;
  categories: string[];
  caption: string;
  username: string;
}

/** What a list is ranked by. */
export interface History {
  /** The last ones that were watched to the end, the last one first. */
  watched: PastReel[];
  /** Reels that were watched since a time. */
  seen: string[];
  /** Creators and categories of the reels that are of no interest. */
  avoided: { creatorId: string; categories: string[] }[];
}

interface Which {
  viewerId: string | undefined;
  /** Not used if the viewer has switched their taste on. */
  visit: readonly WatchedReel[];
  notInterested: readonly string[];
  seenSince: Date;
}

const atMost = 20;

/** Reads the taste of a person who has switched it on, otherwise the visit. */
export async function readHistory(
  db: Kysely<Tables>,
  {
    viewerId = null,
    visit,
    notInterested,
    seenSince,
  }: Omit<Which, 'viewerId'> & {
    viewerId: string | null | undefined;
  },
): Promise<History> {
  const { rows } = await sql<History>`
    with watched as materialized (
      select reel_id, watched_at, to_end, 0 as place from taste_watches where person_id = ${viewerId}::uuid
      union all
      select reel_id, ${seenSince}::timestamptz, to_end, place
      from unnest(${visit.map(({ _id }) => _id)}::uuid[], ${visit.map(({ toEnd }) => toEnd)}::boolean[])
        with ordinality visit (reel_id, to_end, place)
      where not exists (select from taste_people where person_id = ${viewerId}::uuid)
    ),
    past as materialized (
      select w.id, w.creator_id, w.categories, p.username, h.watched_at, h.place
      from (select * from watched where to_end order by watched_at desc, place, reel_id desc) h
      join works w on w.id = h.reel_id join people p on p.id = w.creator_id
      where w.kind = 'reel' and w.published_at is not null and p.suspended_at is null and ${notBlocked(viewerId ?? undefined, 'w.creator_id')}
      order by h.watched_at desc, h.place, h.reel_id desc limit ${sql.lit(atMost)}
    ),
    captions as materialized (select id, caption from reels where id = any(array(select id from past)))
    select
      array(select reel_id from watched where watched_at >= ${seenSince}) as seen,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'categories', categories, 'caption', caption, 'username', username)
          order by watched_at desc, place, id desc), '[]')
        from past join captions using (id)) as watched,
      (select coalesce(jsonb_agg(jsonb_build_object('creatorId', creator_id, 'categories', categories)), '[]')
        from works where kind = 'reel' and id = any(${notInterested}::uuid[])) as avoided`.execute(db);
  return rows[0] ?? { watched: [], seen: [], avoided: [] };
}
