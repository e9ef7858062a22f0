import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

/**
 * Replaces the triggers that keep `works` in step for the version before by a check at each commit: whoever inserts a reel or post, or changes its
 * state, has changed `works` in the same transaction.
 */
export async function checkWorks(db: Kysely<Tables>): Promise<void> {
  await sql`
    create function check_work() returns trigger language plpgsql as $$
    declare
      work jsonb;
      told works;
    begin
      execute format('select to_jsonb(w) from %I w where id = $1', tg_table_name) into work using new.id;
      -- A test has deleted it.
      if work is null then return null; end if;
      select * into told from works where id = new.id;
      if (told.kind || 's', told.creator_id, told.published_at, told.categories) is distinct from (
        tg_table_name::text, (work ->> 'creator_id')::uuid,
        case when coalesce(work ->> 'state', 'ready') = 'ready' and coalesce(work ->> 'deleted_at', work ->> 'taken_down_at') is null
          then (work ->> 'published_at')::timestamptz end,
        array(select jsonb_array_elements_text(coalesce(work -> 'categories', '[]')))
      ) then raise exception 'works does not say what % has of %', tg_table_name, new.id; end if;
      return null;
    end $$`.execute(db);
  for (const table of ['reels', 'posts']) {
    const own = table === 'reels' ? ', state, categories' : '';
    await sql
      .raw(`
        drop trigger ${table}_work on ${table};
        create constraint trigger ${table}_work
          after insert or update of creator_id, published_at, deleted_at, taken_down_at${own} on ${table}
          deferrable initially deferred for each row execute function check_work()`)
      .execute(db);
  }
}
