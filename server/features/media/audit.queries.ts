import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

/** Files that a living row refers to. */
export interface OwedRow {
  /** `reel:<id>`, `upload:<key>`, … */
  row: string;
  place: 'inbox' | 'media';
  key: string;
  /** What has to be there at least; for the inbox, nothing but the file itself. */
  names: string[];
  /** By name and size, where that was noted when they were made. */
  files: Record<string, number> | null;
  /** Of the file in the inbox; null where it is not known. */
  bytes: number | null;
}

/** What living rows refer to, in order of key: those of these keys, or the next so many after one. */
export async function owedRows(
  db: Kysely<Tables>,
  which: { keys: readonly string[] } | { after: string; limit: number },
): Promise<OwedRow[]> {
  const chosen =
    'keys' in which
      ? sql`key = any(${which.keys}::text[])`
      : sql`key in (select distinct key from living where key > ${which.after} order by key limit ${which.limit})`;
  const photo = (row: string, from: string, key: string) => sql`
    select ${sql.lit(row)} || ':' || id, 'media', ${sql.ref(key)},
      array['photo.jpg', 'small.webp'] || array(select w || '.webp' from jsonb_array_elements_text(to_jsonb(widths)) w)
    from ${sql.table(from)} where deleted_at is null`;
  const extra = (row: string, from: string) => sql`
    select ${sql.lit(row)} || ':' || id, extra_key, extra_files
    from ${sql.table(from)} where deleted_at is null and extra_key is not null`;
  const { rows } = await sql<OwedRow>`
    with extra("row", key, files) as not materialized (
      ${extra('post', 'posts')} union all ${extra('story', 'stories')}
      union all ${extra('reel', 'reels')} and extra_key <> media_key
    ), living("row", place, key, names) as (
      select 'upload:' || key, case kind when 'video' then 'inbox' else 'media' end, key,
        case kind when 'video' then array[]::text[] when 'photo' then array['photo.jpg', 'small.webp']
          else array['thumbnail.webp'] end
      from uploads where used_at is null
      union all
      select 'import:' || upload_key, 'media', copy_key, array['video.mp4']
      from imports join uploads on uploads.key = upload_key where used_at is null
      union all
      select 'reel:' || id, case state when 'ready' then 'media' else 'inbox' end, media_key,
        case state when 'ready' then array['video.mp4', 'poster.webp', 'tile.webp']
          || array(select r->>'file' from jsonb_array_elements(renditions) r) else array[]::text[] end
      from reels where deleted_at is null and state <> 'failed'
      union all
      select 'reel:' || id, 'media', thumbnail_key, array['thumbnail.webp']
      from reels where deleted_at is null and thumbnail_key is not null
      union all
      select 'reel:' || id, 'media', key, array['captions-' || lower(language) || '.vtt']
      from reel_captions join reels on id = reel_id where deleted_at is null
      union all
      select 'person:' || id, 'media', picture_key, array['small.webp'] from people where picture_key is not null
      union all ${photo('post', 'posts', 'media_key')}
      union all ${photo('story', 'stories', 'media_key')}
      union all select "row", 'media', key, array(select jsonb_object_keys(files)) from extra
    )
    select living."row", place, key, names, coalesce(uploads.files, extra.files) as files,
      case place when 'inbox' then uploads.bytes end as bytes
    from living left join uploads using (key) left join extra using (key) where ${chosen} order by key, "row"`.execute(
    db,
  );
  return rows;
}
