import { type Kysely, sql } from 'kysely';

/**
 * Functions that read comments and captions of one reel, on one node: Citus rejects a subquery about rows of a spread table for each row of a local one.
 * They return JSON, as lists do.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The newest comments with their authors, without suspended people and those whom the viewer has blocked or who have blocked the viewer
    -- ('not-blocked.ts'). The index has the order by time alone: with ties, all rows of the last moment are read, and the id then decides.
    create or replace function newest_comments(work uuid, creator uuid, viewer uuid, most integer) returns jsonb
    language plpgsql stable as $$
    declare
      many integer := most;
      latest jsonb;
      shown jsonb[];
    begin
      loop
        latest := (
          select coalesce(jsonb_agg(to_jsonb(c) order by created_at desc, id desc), '[]') from (
            select id, person_id, text, created_at, thread_id from reel_comments where reel_id = work and creator_id = creator
            order by created_at desc fetch first (many) rows with ties
          ) c);
        -- In two statements and without a limit: PostgreSQL would plan one with these parameters anew for each call.
        shown := array(
          select c || jsonb_build_object('username', p.username, 'picture_key', p.picture_key)
          from jsonb_array_elements(latest) with ordinality as each (c, place)
          cross join lateral (select * from people where id = (c ->> 'person_id')::uuid limit 1) p
          where p.suspended_at is null order by place);
        if viewer is not null then
          shown := array(
            select c from unnest(shown) with ordinality as each (c, place)
            where not exists (select from blocks where blocker_id = viewer and blocked_id = (c ->> 'person_id')::uuid offset 0)
              and not exists (select from blocks where blocker_id = (c ->> 'person_id')::uuid and blocked_id = viewer offset 0)
            order by place);
        end if;
        if cardinality(shown) >= most or jsonb_array_length(latest) < many then
          return to_jsonb(shown[:most]);
        end if;
        many := 4 * many;
      end loop;
    end $$;

    create or replace function text_of_comment(comment uuid, creator uuid) returns text
    language plpgsql stable as $$
    begin
      return (select text from reel_comments where id = comment and creator_id = creator);
    end $$;

    create or replace function captions_of(work uuid, creator uuid) returns jsonb
    language plpgsql stable as $$
    begin
      return (
        select coalesce(jsonb_agg(jsonb_build_object('language', language, 'key', key) order by language), '[]')
        from reel_captions where reel_id = work and creator_id = creator);
    end $$`.execute(db);
}
