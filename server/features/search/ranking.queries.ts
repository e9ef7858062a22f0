import { type Kysely, sql } from 'kysely';
import type { SearchKind, Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';

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

/** Marks those of the next entries after an id that are not behind the last one of their kind; returns the last id. */
export async function markTop(
  db: Kysely<Tables>,
  last: readonly Ranked[],
  after: string,
  batch: number,
): Promise<string | undefined> {
  const kinds = last.map(({ kind }) => kind);
  const popularities = last.map(({ popularity }) => popularity);
  const ids = last.map(({ id }) => id);
  const { rows } = await sql<{ id: string }>`
    with batch as materialized (
      select id from search_entries where id > ${after} order by id limit ${batch}
    ), changed as (
      update search_entries e set is_top = not is_top
      from batch, unnest(${kinds}::text[], ${popularities}::int[], ${ids}::uuid[]) last (kind, popularity, id)
      where e.id = batch.id and e.kind = last.kind
        and e.is_top <> ((e.popularity, e.id) >= (last.popularity, last.id))
    )
    select id from batch order by id desc limit 1`.execute(db);
  return rows[0]?.id;
}
