import { type Kysely, sql } from 'kysely';
import type { SearchKind, Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';

/** An id before all others. */
export const beforeAll = '00000000-0000-0000-0000-000000000000';

export interface Ranked {
  id: string;
  kind: SearchKind;
  popularity: number;
}

/**
 * Counts the popularity of the next entries after an id, and returns them. It is in no index, so that PostgreSQL changes these rows in
 * place.
 */
export async function countPopularity(db: Kysely<Tables>, after: string, batch: number): Promise<Ranked[]> {
  const { rows } = await sql<Ranked>`
    with page as materialized (
      select id, kind from search_entries where id > ${after} order by id limit ${batch}
    ), watched as (
      select reel_id, sum(views) as views from reel_days
      where verdict = 'counted' and reel_id in (select id from page where kind = 'reel') group by reel_id
    ), counted as materialized (
      select page.id, kind, least(coalesce(case kind
          when 'reel' then watched.views
          when 'person' then (select follower_count from people where people.id = page.id)
          when 'tag' then (select count(*) from work_tags where tag_id = page.id)
        end, 0), 999999999)::int as popularity
      from page left join watched on watched.reel_id = page.id
    ), changed as (
      update search_entries e set popularity = counted.popularity from counted
      where e.id = counted.id and e.popularity <> counted.popularity
    )
    select id, kind, popularity from counted order by id`.execute(db);
  return rows;
}

/** Deletes those of these tags that no work has any more; one with which somebody publishes now is left. */
export async function deleteUnusedTags(db: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await inTransaction(db, async (trx) => {
    const locked = await trx
      .selectFrom('tags')
      .select('id')
      .where('id', 'in', ids)
      .forUpdate()
      .skipLocked()
      .execute();
    // A statement of its own, which sees what was published until the locks were taken.
    await sql`
      with gone as (
        delete from tags where id = any(${locked.map(({ id }) => id)}::uuid[])
          and not exists (select from work_tags where tag_id = tags.id) returning id
      )
      delete from search_entries using gone where search_entries.id = gone.id`.execute(trx);
  });
}

/** The last entry of each tier of a kind except the last tier; undefined if the kind has fewer. */
export interface TierEnds {
  kind: SearchKind;
  ends: readonly (Ranked | undefined)[];
}

/** Puts the next entries after an id into the tiers of their kind; returns the last id. */
export async function putInTiers(
  db: Kysely<Tables>,
  tiers: readonly TierEnds[],
  after: string,
  batch: number,
): Promise<string | undefined> {
  const ends = tiers.map(({ kind, ends }) => ({
    kind,
    popularity: ends.map((end) => end?.popularity ?? -1),
    id: ends.map((end) => end?.id ?? beforeAll),
  }));
  const isUpTo = (place: number) =>
    sql`(e.popularity, e.id) >= (ends.popularity[${sql.lit(place)}], ends.id[${sql.lit(place)}])`;
  const { rows } = await sql<{ id: string }>`
    with batch as materialized (
      select id from search_entries where id > ${after} order by id limit ${batch}
    ), changed as (
      update search_entries e set is_first = ranked.is_first, is_top = ranked.is_top, is_upper = ranked.is_upper
      from (
        select e.id, ${isUpTo(1)} as is_first, ${isUpTo(2)} as is_top, ${isUpTo(3)} as is_upper
        from batch join search_entries e using (id)
        join jsonb_to_recordset(${JSON.stringify(ends)}) as ends (kind text, popularity int[], id uuid[]) using (kind)
      ) ranked
      where e.id = ranked.id
        and (e.is_first, e.is_top, e.is_upper) <> (ranked.is_first, ranked.is_top, ranked.is_upper)
    )
    select id from batch order by id desc limit 1`.execute(db);
  return rows[0]?.id;
}
