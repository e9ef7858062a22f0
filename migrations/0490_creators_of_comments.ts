import { type Kysely, sql } from 'kysely';

/**
 * Adds `creator_id`, the creator of the reel, to comments and captions: the distribution column on a cluster. The previous version inserts rows
 * without it, so a trigger of 0450 sets it. A large site adds and fills the columns before the upgrade (CHANGELOG.md). The ids by which comments that
 * are sent twice are recognized become a constraint, which can be altered on a cluster like the primary key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['reel_comments', 'reel_captions']) {
    await sql.raw(`alter table ${table} add column if not exists creator_id uuid`).execute(db);
    await sql
      .raw(`update ${table} set creator_id = creator_of(reel_id) where creator_id is null`)
      .execute(db);
    await sql
      .raw(`
        alter table ${table} alter column creator_id set not null;
        create or replace trigger ${table}_creator before insert on ${table} for each row
          when (new.creator_id is null) execute function add_creator('reel_id')`)
      .execute(db);
  }
  await sql`
    do $$ begin
      if not exists (select from pg_constraint where conname = 'reel_comments_sent') then
        alter table reel_comments add constraint reel_comments_sent unique using index reel_comments_sent;
      end if;
    end $$`.execute(db);
}
