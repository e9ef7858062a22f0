import { type Kysely, sql } from 'kysely';
import type { SearchKind, Tables } from '#server/platform/database/tables.ts';

/** The popularity is in no index, so that PostgreSQL changes these rows in place. */
export async function countPopularity(db: Kysely<Tables>): Promise<void> {
  await sql`
    update search_entries e set popularity = least(watched.views, 999999999)
    from (select reel_id, sum(views) as views from reel_days where verdict = 'counted' group by 1) watched
    where e.id = watched.reel_id and e.kind = 'reel' and e.popularity <> least(watched.views, 999999999)`.execute(
    db,
  );
  await sql`
    update search_entries e set popularity = people.follower_count from people
    where e.id = people.id and e.kind = 'person' and e.popularity <> people.follower_count`.execute(db);
  await sql`
    update search_entries e set popularity = tagged.works
    from (select tag_id, count(*) as works from work_tags group by 1) tagged
    where e.id = tagged.tag_id and e.kind = 'tag' and e.popularity <> tagged.works`.execute(db);
}

/** Marks the first entries of a kind in the order of results. */
export async function chooseTop(db: Kysely<Tables>, kind: SearchKind, most: number): Promise<void> {
  await sql`
    with first as (
      select id from search_entries where kind = ${kind} order by popularity desc, id desc limit ${most}
    )
    update search_entries e set is_top = not is_top
    where kind = ${kind} and is_top <> (id in (select id from first))`.execute(db);
}
