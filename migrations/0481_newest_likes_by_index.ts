import { type Kysely, sql } from 'kysely';

/**
 * Replaces the functions of `0451_newest_likes.ts`. PostgreSQL turned their subqueries of blocks into joins, and read all people whom the viewer has
 * blocked for each work of a list. `offset 0` keeps them subqueries, each of which reads one index entry.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const newest = (name: string, table: string, isLiked: string) => `
    create or replace function ${name}(work uuid, creator uuid, viewer uuid, most integer) returns uuid[]
    language plpgsql stable as $$
    declare
      many integer := most;
      latest uuid[];
      shown uuid[];
    begin
      loop
        latest := array(
          select person_id from (
            select person_id, liked_at from ${table} where ${isLiked} and creator_id = creator
            order by liked_at desc fetch first (many) rows with ties
          ) newest order by liked_at desc, person_id desc);
        if viewer is null then
          return latest[:most];
        end if;
        shown := array(
          select person_id from unnest(latest) with ordinality as each (person_id, place)
          where not exists (select from blocks where blocker_id = viewer and blocked_id = person_id offset 0)
            and not exists (select from blocks where blocker_id = person_id and blocked_id = viewer offset 0)
          order by place limit most);
        if cardinality(shown) = most or cardinality(latest) < many then
          return shown;
        end if;
        many := 4 * many;
      end loop;
    end $$`;
  await sql
    .raw(
      [
        newest('newest_reel_likes', 'reel_likes', 'reel_id = work'),
        newest('newest_post_likes', 'post_likes', 'post_id = work and undone_at is null'),
      ].join(';'),
    )
    .execute(db);
}
