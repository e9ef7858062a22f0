import { type Kysely, sql } from 'kysely';

/** What `works` says of each reel and post. */
const derived = `
  select id, 'reel' as kind, creator_id,
    case when state = 'ready' and deleted_at is null and taken_down_at is null then published_at end as published_at, categories
  from reels
  union all
  select id, 'post', creator_id, case when deleted_at is null and taken_down_at is null then published_at end, '{}' from posts`;

/**
 * Adds `works`, which leads from the id of a reel or post to its creator, and lists those that are public. The previous version does not write to it,
 * so a trigger does. A large site creates and fills the table before the upgrade (CHANGELOG.md); the migration writes only rows that are missing or differ.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
      create table if not exists works (
        id uuid,
        kind text not null check (kind in ('reel', 'post')),
        creator_id uuid not null,
        -- null unless the work is public by its own state; its creator may be suspended
        published_at timestamptz,
        -- of reels
        categories text[] not null default '{}',
        -- whether a work is public, and whose it is, is read from the index alone
        primary key (id) include (creator_id, published_at)
      );
      create index if not exists works_public on works (kind, published_at desc, id desc) where published_at is not null;
      create index if not exists works_public_by on works (creator_id, kind, published_at desc, id desc)
        where published_at is not null;

      create or replace function put_work() returns trigger language plpgsql as $$
      begin
        insert into works select * from (${derived}) d where id = new.id
        on conflict (id) do update set published_at = excluded.published_at, categories = excluded.categories
        where (works.published_at, works.categories) is distinct from (excluded.published_at, excluded.categories);
        return null;
      end $$;
      create or replace trigger reels_work after insert or update of state, published_at, deleted_at, taken_down_at, categories
        on reels for each row execute function put_work();
      create or replace trigger posts_work after insert or update of published_at, deleted_at, taken_down_at
        on posts for each row execute function put_work()`)
    .execute(db);
  await sql
    .raw(`
      insert into works select * from (${derived}) d
        where not exists (select from works w where w.id = d.id and (w.published_at, w.categories) is not distinct from (d.published_at, d.categories))
      on conflict (id) do update set published_at = excluded.published_at, categories = excluded.categories;

      -- After the fill: the previous version reads the creators of comments by it.
      create or replace function creator_of(work uuid) returns uuid language sql stable as $$
        select creator_id from works where id = work
      $$;`)
    .execute(db);
}
