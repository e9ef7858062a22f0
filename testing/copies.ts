import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId, newKey } from '#server/platform/ids.ts';

/** As many more reels like this one, each with files of its own, without encoding any of them; returns their ids. */
export async function copyReel(
  db: Kysely<Tables>,
  dataDir: string,
  id: string,
  count: number,
): Promise<string[]> {
  const { renditions, ...row } = await db
    .selectFrom('reels')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const folderOf = (key: string) => join(dataDir, 'media', key.slice(0, 2), key);
  const ids: string[] = [];
  for (let place = 1; place <= count; place += 1) {
    const at = new Date(row.uploaded_at.getTime() + place);
    const media_key = newKey();
    const extra_key = row.extra_key && media_key;
    const copy = {
      id: newId(at),
      media_key,
      extra_key,
      caption: `${row.caption} ${place}`,
      published_at: at,
    };
    await cp(folderOf(row.media_key), folderOf(copy.media_key), { recursive: true });
    await db
      .insertInto('reels')
      .values({ ...row, ...copy, thumbnail_key: null, renditions: JSON.stringify(renditions) })
      .execute();
    await db
      .insertInto('stored_files')
      .values({
        owner_id: row.creator_id,
        key: media_key,
        kind: 'reel',
        state: 'in_use',
        bytes: 0,
        touched_at: at,
      })
      .execute();
    ids.push(copy.id);
  }
  return ids;
}
