import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { nobody } from './stored-files.queries.ts';

/** Unknown sizes, by name. */
const names = (...list: string[]) =>
  sql`jsonb_build_object(${sql.join(list.flatMap((name) => [sql.lit(name), sql`null::integer`]))})`;
const photo = names('photo.jpg', 'small.webp');
const state = (waits: 'in_use' | 'waiting' = 'in_use') =>
  sql`case when taken_down_at is null then ${sql.lit(waits)} else 'withheld' end`;

/** Files that were made after publication. */
const extra = (table: string) => sql`
  select creator_id, extra_key, 'extra', ${state()}, extra_files,
    (select coalesce(sum(size::bigint), 0) from jsonb_each_text(extra_files) as each(name, size)), coalesce(published_at, now())
  from ${sql.table(table)} where deleted_at is null and extra_key is not null`;
const published = (table: string) => sql`
  select creator_id, media_key, 'photo', ${state()},
    ${photo} || coalesce((select jsonb_object_agg(width || '.webp', null::integer) from unnest(widths) width), '{}'), 0, published_at
  from ${sql.table(table)} where deleted_at is null`;

/**
 * The register as derived from the tables that name files: for databases from before there was one
 * (docs/decisions/0039-register-of-files.md). To be removed once every site has a register.
 */
const derived = (which: RawBuilder<unknown>) => sql`
  with named(owner_id, key, kind, state, files, bytes, touched_at) as (
    select owner_id, key, kind, 'waiting',
      case kind when 'photo' then ${photo} when 'thumbnail' then ${names('thumbnail.webp')} end, bytes, created_at
    from uploads where used_at is null
    union all
    select person_id, copy_key, 'copy', 'waiting', ${names('video.mp4')}, uploads.bytes, uploads.created_at
    from imports join uploads on uploads.key = upload_key where used_at is null
    union all
    select owner_id, key, case kind when 'reel' then 'video' when 'thumbnail' then 'thumbnail' else 'photo' end, 'arriving',
      null, bytes, created_at
    from resumable_uploads where answer is null and not exists (select from uploads where uploads.key = resumable_uploads.key)
    union all
    select creator_id, media_key, case state when 'ready' then 'reel' else 'video' end, ${state()},
      case state when 'ready' then ${names('video.mp4', 'poster.webp', 'tile.webp')}
        || coalesce((select jsonb_object_agg(one->>'file', null::integer) from jsonb_array_elements(renditions) one), '{}') end,
      0, uploaded_at
    from reels where deleted_at is null and state <> 'failed'
    union all
    select creator_id, thumbnail_key, 'thumbnail', ${state()}, ${names('thumbnail.webp')}, 0, uploaded_at
    from reels where deleted_at is null and thumbnail_key is not null
    union all
    select creator_id, key, 'captions', ${state()}, jsonb_build_object('captions-' || lower(language) || '.vtt', null::integer), 0, set_at
    from reel_captions join reels on reels.id = reel_id where deleted_at is null
    union all
    select id, picture_key, 'photo', 'in_use', ${names('small.webp')}, 0, created_at
    from people where picture_key is not null
    union all ${published('posts')}
    union all ${published('stories')}
    union all ${extra('posts')}
    union all ${extra('stories')}
    union all ${extra('reels')} and extra_key <> media_key
  )
  select distinct on (named.owner_id, named.key) named.owner_id, named.key, named.kind, named.state,
    case when named.files is not null then named.files || coalesce(uploads.files, '{}') end as files,
    coalesce(uploads.bytes, named.bytes) as bytes, named.touched_at
  from named left join uploads on uploads.owner_id = named.owner_id and uploads.key = named.key
  where ${which}
  order by named.owner_id, named.key, named.state`;

const of = (owners: readonly string[]) => sql`named.owner_id = any(${owners}::uuid[])`;

/** The next people, ordered by id. */
export async function peopleAfter(trx: Transaction<Tables>, after: string, limit: number): Promise<string[]> {
  const rows = await trx
    .selectFrom('people')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Locks the register until this transaction ends. Every rule writes to it in the transaction that changes its own tables, so what is read
 * afterwards is either complete on both sides, or on neither.
 */
export async function lockRegister(trx: Transaction<Tables>): Promise<void> {
  await sql`lock table stored_files in share row exclusive mode`.execute(trx);
}

/** Registers the files that these people's rows name, and corrects wrong registrations; returns how many rows changed. */
export async function registerMissing(trx: Transaction<Tables>, owners: readonly string[]): Promise<number> {
  const result = await sql`
    insert into stored_files (owner_id, key, kind, state, files, bytes, touched_at)
    ${derived(of(owners))}
    on conflict (owner_id, key) do update set kind = excluded.kind, state = excluded.state
    where (stored_files.kind, stored_files.state) is distinct from (excluded.kind, excluded.state)`.execute(
    trx,
  );
  return Number(result.numAffectedRows ?? 0);
}

/** Registers the file of this key if a row names it; returns its owner. */
export async function registerNamed(trx: Transaction<Tables>, key: string): Promise<string | undefined> {
  const { rows } = await sql<{ owner_id: string }>`
    insert into stored_files (owner_id, key, kind, state, files, bytes, touched_at)
    ${derived(sql`named.key = ${key}`)} returning owner_id`.execute(trx);
  return rows[0]?.owner_id;
}

/** Deletes registrations of these people that no row names. The files stay: without a row they are treated like any other orphan. */
export async function forgetUnnamed(trx: Transaction<Tables>, owners: readonly string[]): Promise<number> {
  const result = await sql`
    delete from stored_files where owner_id = any(${owners}::uuid[]) and state <> 'removed'
      and not exists (
        select from (${derived(of(owners))}) as named
        where named.owner_id = stored_files.owner_id and named.key = stored_files.key
      )`.execute(trx);
  return Number(result.numAffectedRows ?? 0);
}

/** The same for owners whose accounts no longer exist. */
export async function forgetUnowned(trx: Transaction<Tables>): Promise<number> {
  const result = await sql`
    delete from stored_files where owner_id <> ${nobody} and state <> 'removed'
      and not exists (select from people where people.id = owner_id)`.execute(trx);
  return Number(result.numAffectedRows ?? 0);
}

const mark = { name: 'stored_files', value: 'complete' };

/** Whether the register has been completed, or there is nothing to register. */
export async function isMarkedComplete(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ complete: boolean }>`
    select exists (select from settings where name = ${mark.name} and value = ${mark.value}) as complete`.execute(
    db,
  );
  return rows[0]?.complete ?? false;
}

/**
 * Whether an older version has run again since the register was completed, by a cheap check: whether anything that it would have uploaded
 * or published has no row.
 */
export async function isBehind(db: Kysely<Tables>): Promise<boolean> {
  const unregistered = (table: string, owner: string, key: string, which: RawBuilder<unknown>) => sql`
    exists (select from ${sql.table(table)} as named where ${which} and not exists (
      select from stored_files where stored_files.owner_id = named.${sql.ref(owner)} and stored_files.key = named.${sql.ref(key)}))`;
  const standing = sql`deleted_at is null`;
  const { rows } = await sql<{ behind: boolean }>`select ${sql.join(
    [
      unregistered('uploads', 'owner_id', 'key', sql`used_at is null`),
      unregistered('people', 'id', 'picture_key', sql`picture_key is not null`),
      unregistered('posts', 'creator_id', 'media_key', standing),
      unregistered('stories', 'creator_id', 'media_key', standing),
      unregistered('reels', 'creator_id', 'media_key', sql`deleted_at is null and named.state <> 'failed'`),
    ],
    sql` or `,
  )} as behind`.execute(db);
  return rows[0]?.behind ?? false;
}

export async function markComplete(db: Kysely<Tables>): Promise<void> {
  await db
    .insertInto('settings')
    .values(mark)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
