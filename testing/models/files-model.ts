import type { Kysely, Selectable } from 'kysely';
import type { StoredState, Tables } from '#server/platform/database/tables.ts';
import type { Storage } from '#server/platform/storage.ts';

/* An independent model of the register of stored files: the same data, collected from the rows that name files, table by table. */

/** The state of each file, by `<owner> inbox/<key>` or `<owner> media/<key>`. */
export type Files = Record<string, Exclude<StoredState, 'removed'>>;

const nobody = '00000000-0000-0000-0000-000000000000';

/** Whether a reel failed by a fault of the site, and not of its file. */
const isOurs = (reason: Selectable<Tables['reels']>['failure_reason']) =>
  reason?.code === 'processing_failed' && reason.params.what === 'ours';

/** The files that rows refer to. */
export async function filesNamedByRows(db: Kysely<Tables>): Promise<Files> {
  const files: Files = {};
  const add = (owner: string, place: 'inbox' | 'media', key: string | null, state: Files[string]) => {
    if (!key) return;
    const file = `${owner} ${place}/${key}`;
    if (files[file]) throw new Error(`${file} is named twice`);
    files[file] = state;
  };
  const stateOf = (row: { taken_down_at: Date | null }) => (row.taken_down_at ? 'withheld' : 'in_use');
  const uploads = new Map(
    (await db.selectFrom('uploads').selectAll().execute()).map((row) => [row.key, row] as const),
  );
  for (const { key, owner_id, kind, used_at } of uploads.values())
    if (!used_at) add(owner_id, kind === 'video' ? 'inbox' : 'media', key, 'waiting');
  for (const { upload_key, person_id, copy_key } of await db.selectFrom('imports').selectAll().execute())
    if (!uploads.get(upload_key)?.used_at) add(person_id, 'media', copy_key, 'waiting');
  for (const { key, owner_id, answer } of await db.selectFrom('resumable_uploads').selectAll().execute())
    if (!answer && !uploads.has(key)) add(owner_id, 'inbox', key, 'arriving');
  for (const { id, picture_key } of await db.selectFrom('people').selectAll().execute())
    add(id, 'media', picture_key, 'in_use');
  const reels = await db.selectFrom('reels').where('deleted_at', 'is', null).selectAll().execute();
  for (const row of reels) {
    if (row.state !== 'failed')
      add(row.creator_id, row.state === 'ready' ? 'media' : 'inbox', row.media_key, stateOf(row));
    // Kept for a retry by an operator.
    else if (isOurs(row.failure_reason)) add(row.creator_id, 'inbox', row.media_key, 'withheld');
    add(row.creator_id, 'media', row.thumbnail_key, stateOf(row));
    add(row.creator_id, 'media', row.cover_key, stateOf(row));
  }
  for (const { reel_id, key } of await db.selectFrom('reel_captions').selectAll().execute()) {
    const reel = reels.find(({ id }) => id === reel_id);
    if (reel) add(reel.creator_id, 'media', key, stateOf(reel));
  }
  for (const table of ['posts', 'stories'] as const)
    for (const row of await db.selectFrom(table).where('deleted_at', 'is', null).selectAll().execute()) {
      add(row.creator_id, 'media', row.media_key, stateOf(row));
      add(row.creator_id, 'media', row.extra_key, stateOf(row));
    }
  return files;
}

/** The registered files, except for removed ones and imports without a login. */
export async function filesRegistered(db: Kysely<Tables>): Promise<Files> {
  const rows = await db
    .selectFrom('stored_files')
    .selectAll()
    .where('state', '<>', 'removed')
    .where('owner_id', '<>', nobody)
    .execute();
  return Object.fromEntries(
    rows.map(({ owner_id, key, kind, state }) => {
      const place = state === 'arriving' || kind === 'video' ? 'inbox' : 'media';
      return [`${owner_id} ${place}/${key}`, state as Files[string]];
    }),
  );
}

/** The files in a storage, as `inbox/<key>` or `media/<key>`. */
export async function filesStored(storage: Storage): Promise<Set<string>> {
  const stored = new Set<string>();
  for await (const { key } of storage.list()) stored.add(key.split('/', 2).join('/'));
  return stored;
}
