import { type Kysely, sql } from 'kysely';

const tables = [
  { table: 'reel_likes', work: 'reel_id' },
  { table: 'post_likes', work: 'post_id' },
  { table: 'reel_shares', work: 'reel_id' },
] as const;

/**
 * Adds `creator_id`, the creator of the reel or post, to likes and shares: the distribution column on a cluster. The previous version inserts rows
 * without it, so a trigger sets it. A large site adds and fills the columns before the upgrade (CHANGELOG.md); the migration updates only rows without it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function creator_of(work uuid) returns uuid language sql stable as $$
      select creator_id from reels where id = work union all select creator_id from posts where id = work limit 1
    $$;
    create or replace function add_creator() returns trigger language plpgsql as $$
    begin
      new.creator_id := creator_of((to_jsonb(new) ->> tg_argv[0])::uuid);
      return new;
    end $$`.execute(db);
  for (const { table, work } of tables) {
    await sql.raw(`alter table ${table} add column if not exists creator_id uuid`).execute(db);
    // Not by rewriting the table: it would look empty to a backup that began before.
    await sql
      .raw(`update ${table} set creator_id = creator_of(${work}) where creator_id is null`)
      .execute(db);
    await sql
      .raw(`
        alter table ${table} alter column creator_id set not null;
        create or replace trigger ${table}_creator before insert on ${table} for each row
          when (new.creator_id is null) execute function add_creator('${work}')`)
      .execute(db);
  }
}
