import { type Kysely, sql, type Transaction } from 'kysely';
import type { FileSizes, StoredKind, StoredState, Tables } from '#server/platform/database/tables.ts';

/** The owner of files that were fetched without a login. */
export const nobody = '00000000-0000-0000-0000-000000000000';

/** A stored file or folder, as it is registered. */
export interface NewFile {
  ownerId: string;
  key: string;
  kind: StoredKind;
  state: Exclude<StoredState, 'removed'>;
  files?: FileSizes | undefined;
  bytes: number;
}

/** Files of one owner. */
export interface OwnedKeys {
  ownerId: string;
  keys: readonly string[];
}

/** Registers a file, or changes what is registered of it; false if it is being deleted, which is final. */
export async function put(trx: Transaction<Tables>, file: NewFile, now: Date): Promise<boolean> {
  const { kind, state, bytes } = file;
  const row = { kind, state, bytes, files: file.files ? JSON.stringify(file.files) : null, touched_at: now };
  const result = await trx
    .insertInto('stored_files')
    .values({ owner_id: file.ownerId, key: file.key, ...row })
    .onConflict((conflict) =>
      conflict.columns(['owner_id', 'key']).doUpdateSet(row).where('stored_files.state', '<>', 'removed'),
    )
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** A file that is being deleted stays so. */
export async function setState(
  trx: Transaction<Tables>,
  { ownerId, keys }: OwnedKeys,
  state: StoredState,
  now: Date,
): Promise<void> {
  if (keys.length === 0) return;
  await trx
    .updateTable('stored_files')
    .set({ state, touched_at: now })
    .where('owner_id', '=', ownerId)
    .where(sql<boolean>`key = any(${keys}::text[])`)
    .where('state', '<>', 'removed')
    .execute();
}

/** Notes that a folder of renditions was published under the key of the received video. */
export async function setRenditions(
  trx: Transaction<Tables>,
  { ownerId, key }: { ownerId: string; key: string },
  files: FileSizes | undefined,
): Promise<void> {
  await trx
    .updateTable('stored_files')
    .set({ kind: 'reel', files: files ? JSON.stringify(files) : null })
    .where('owner_id', '=', ownerId)
    .where('key', '=', key)
    .execute();
}

/** Notes how many bytes of an arriving file are counted. */
export async function setBytes(
  trx: Transaction<Tables>,
  { ownerId, key }: { ownerId: string; key: string },
  bytes: number,
): Promise<void> {
  await trx
    .updateTable('stored_files')
    .set({ bytes })
    .where('owner_id', '=', ownerId)
    .where('key', '=', key)
    .where('state', '=', 'arriving')
    .execute();
}

/** Marks all files of an owner as to be deleted; returns their keys. */
export async function removeAllOf(trx: Transaction<Tables>, ownerId: string, now: Date): Promise<string[]> {
  const rows = await trx
    .updateTable('stored_files')
    .set({ state: 'removed', touched_at: now })
    .where('owner_id', '=', ownerId)
    .where('state', '<>', 'removed')
    .returning('key')
    .execute();
  return rows.map(({ key }) => key);
}

/** Marks these files of several owners as to be deleted. */
export async function removeEach(
  trx: Transaction<Tables>,
  files: readonly { owner_id: string; key: string }[],
  now: Date,
): Promise<void> {
  await sql`
    update stored_files set state = 'removed', touched_at = ${now}
    from unnest(${files.map((file) => file.owner_id)}::uuid[], ${files.map((file) => file.key)}::text[]) as gone(owner_id, key)
    where stored_files.owner_id = gone.owner_id and stored_files.key = gone.key and state <> 'removed'`.execute(
    trx,
  );
}

/** Marks copies of fetched videos that have waited since before then as to be deleted, or since `withoutLogin`. */
export async function expireCopies(
  trx: Transaction<Tables>,
  { before, withoutLogin }: { before: Date; withoutLogin: Date },
  now: Date,
): Promise<void> {
  await sql`
    update stored_files set state = 'removed', touched_at = ${now}
    where state = 'waiting' and kind = 'copy'
      and touched_at < case owner_id when ${nobody} then ${withoutLogin}::timestamptz else ${before}::timestamptz end`.execute(
    trx,
  );
}

/** What is registered of these keys. */
export function findFiles(db: Kysely<Tables>, keys: readonly string[]) {
  return db
    .selectFrom('stored_files')
    .select(['owner_id', 'key', 'kind', 'state'])
    .where(sql<boolean>`key = any(${keys}::text[])`)
    .execute();
}

/** The next so many files that are to be deleted, after a key. */
export async function listRemoved(db: Kysely<Tables>, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('stored_files')
    .select('key')
    .where('state', '=', 'removed')
    .where('kind', '<>', 'unknown')
    .where('key', '>', after)
    .orderBy('key')
    .limit(limit)
    .execute();
  return rows.map(({ key }) => key);
}

/** Forgets files that were deleted from the storage. What was fetched without a login has no other row than this. */
export async function forgetRemoved(db: Kysely<Tables>, keys: readonly string[]): Promise<void> {
  await db
    .deleteFrom('stored_files')
    .where(sql<boolean>`key = any(${keys}::text[])`)
    .where((eb) => eb.or([eb('state', '=', 'removed'), eb('owner_id', '=', nobody)]))
    .execute();
}
