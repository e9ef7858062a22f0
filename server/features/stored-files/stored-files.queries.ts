import { type Kysely, sql, type Transaction } from 'kysely';
import { retention } from '#contract/retention.ts';
import type { FileSizes, StoredKind, StoredState, Tables } from '#server/platform/database/tables.ts';

/** The owner of files that were fetched without a login. */
export const nobody = '00000000-0000-0000-0000-000000000000';

/** A registered file or folder. */
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

/** Registers a file, or changes its registration; false if it is being deleted, which is final. */
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

/** A file that is being deleted does not change its state. */
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

/** Stores that a folder of renditions was published under the key of the received video. */
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

/** Stores how many bytes of an arriving file are counted. */
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
    from unnest(${files.map((file) => file.owner_id)}::uuid[], ${files.map((file) => file.key)}::text[]) as file(owner_id, key)
    where stored_files.owner_id = file.owner_id and stored_files.key = file.key and state <> 'removed'`.execute(
    trx,
  );
}

/** Marks copies of videos that were fetched without a login before then as to be deleted; those of people go with their upload. */
export async function expireCopies(db: Kysely<Tables>, before: Date, now: Date): Promise<void> {
  await db
    .updateTable('stored_files')
    .set({ state: 'removed', touched_at: now })
    .where('owner_id', '=', nobody)
    .where('state', '=', 'waiting')
    .where('kind', '=', 'copy')
    .where('touched_at', '<', before)
    .execute();
}

/** Marks received videos that wait for another try since before then as to be deleted. */
export async function expireFailed(db: Kysely<Tables>, before: Date, now: Date): Promise<void> {
  await db
    .updateTable('stored_files')
    .set({ state: 'removed', touched_at: now })
    .where('state', '=', 'withheld')
    .where('kind', '=', 'video')
    .where('touched_at', '<', before)
    .execute();
}

/** The registrations of these keys. */
export function findFiles(db: Kysely<Tables>, keys: readonly string[]) {
  return db
    .selectFrom('stored_files')
    .select(['owner_id', 'key', 'kind', 'state'])
    .where(sql<boolean>`key = any(${keys}::text[])`)
    .execute();
}

/** The next files that are to be deleted, after a key. */
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

/** Deletes the registrations of deleted files. Files fetched without a login have no other row than this. */
export async function forgetRemoved(db: Kysely<Tables>, keys: readonly string[]): Promise<void> {
  await db
    .deleteFrom('stored_files')
    .where(sql<boolean>`key = any(${keys}::text[])`)
    .where((eb) => eb.or([eb('state', '=', 'removed'), eb('owner_id', '=', nobody)]))
    .execute();
}

/** How long a file without a row stays in quarantine, in milliseconds. */
export const quarantinedFor = retention.orphanDays * 24 * 60 * 60 * 1000;

const quarantined = sql<boolean>`owner_id = ${nobody} and kind = 'unknown' and state = 'removed'`;

/** Registers an orphan as removed and without an owner: it is no longer served. */
export async function quarantine(db: Kysely<Tables>, key: string, now: Date): Promise<number> {
  const result = await sql`
    insert into stored_files (owner_id, key, kind, state, touched_at)
    select ${nobody}, ${key}, 'unknown', 'removed', ${now}
    where not exists (select from stored_files where key = ${key})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** Files in quarantine, the oldest first. */
export function listQuarantined(db: Kysely<Tables>) {
  return db
    .selectFrom('stored_files')
    .select(['key', 'touched_at'])
    .where(quarantined)
    .orderBy('touched_at')
    .orderBy('key')
    .execute();
}

/** Ends the quarantine of files that have since got a row of their own. */
export async function releaseNamed(db: Kysely<Tables>): Promise<void> {
  await sql`
    delete from stored_files where ${quarantined} and exists (
      select from stored_files as other where other.key = stored_files.key and other.owner_id <> ${nobody}
    )`.execute(db);
}

/** Deletes the quarantine entries from before then; returns their keys. They can no longer be adopted. */
export async function takeQuarantined(db: Kysely<Tables>, before: Date): Promise<string[]> {
  const rows = await db
    .deleteFrom('stored_files')
    .where(quarantined)
    .where('touched_at', '<', before)
    .returning('key')
    .execute();
  return rows.map(({ key }) => key);
}

export async function adopt(trx: Transaction<Tables>, key: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('stored_files')
    .set({ state: 'in_use', touched_at: now })
    .where(quarantined)
    .where('key', '=', key)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The unpublished files of an owner, including arriving files and copies of fetched videos. */
export async function waitingOf(
  db: Kysely<Tables>,
  ownerId: string,
): Promise<{ files: number; bytes: number }> {
  return await db
    .selectFrom('stored_files')
    .select([
      sql<number>`count(*)::integer`.as('files'),
      sql<number>`coalesce(sum(bytes), 0)::float8`.as('bytes'),
    ])
    .where('owner_id', '=', ownerId)
    .where('state', 'in', ['arriving', 'waiting'])
    .executeTakeFirstOrThrow();
}

/** The bytes of all files that are registered; of a file without sizes, what was received. */
export async function sumBytes(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(coalesce((select sum(size::bigint) from jsonb_each_text(files) each(name, size)), bytes)), 0)::bigint as bytes
    from stored_files where state <> 'removed'`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** The files of an owner that may have been served. */
export async function listOf(db: Kysely<Tables>, ownerId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('stored_files')
    .select('key')
    .where('owner_id', '=', ownerId)
    .where('state', '<>', 'arriving')
    .execute();
  return rows.map(({ key }) => key);
}

/**
 * The files that must not be served: those that are withheld or to be deleted, and those of suspended people. It also contains the ids of
 * these people, so that a suspension changes the list even without files.
 */
export async function listHidden(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    with suspended as (select id from people where suspended_at is not null)
    select key from stored_files where state in ('withheld', 'removed')
    union all select key from suspended join stored_files on owner_id = id
    union all select id::text from suspended`.execute(db);
  return rows.map(({ key }) => key);
}

/** The next files that must be in the storage, by key; or those of these keys. */
export function listKept(
  db: Kysely<Tables>,
  which: { keys: readonly string[] } | { after: string; limit: number },
) {
  const query = db
    .selectFrom('stored_files')
    .select(['owner_id', 'key', 'kind', 'files', 'bytes'])
    .where('state', 'in', ['waiting', 'in_use', 'withheld'])
    .orderBy('key');
  return 'keys' in which
    ? query.where(sql<boolean>`key = any(${which.keys}::text[])`).execute()
    : query.where('key', '>', which.after).limit(which.limit).execute();
}

/** The keys of files that must be in the storage, by area; without those that have no owner. */
export async function listKeys(db: Kysely<Tables>): Promise<{ media: string[]; inbox: string[] }> {
  const rows = await db
    .selectFrom('stored_files')
    .select(['key', 'kind'])
    .where('state', 'in', ['waiting', 'in_use', 'withheld'])
    .where('owner_id', '<>', nobody)
    .execute();
  const of = (isVideo: boolean) =>
    rows.filter(({ kind }) => (kind === 'video') === isVideo).map(({ key }) => key);
  return { media: of(false), inbox: of(true) };
}
