import type { Kysely, Transaction } from 'kysely';
import { limits } from '#contract/limits.ts';
import { encodeThumbnail } from '#server/media/encode-thumbnail.ts';
import { reelFiles, thumbnailFile } from '#server/media/file-names.ts';
import { inspectVideo } from '#server/media/inspect-video.ts';
import { sniff } from '#server/media/sniff.ts';
import type { Context } from '#server/platform/context.ts';
import type { PhotoFacts, Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { sizesIn } from '#server/platform/files.ts';
import { clientOfPerson } from '#server/platform/networks.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { ReceivedFile } from '#server/platform/storage.ts';
import { isKnownFile } from '../prints/known-files.ts';
import { dropFiles, putInUse, registerFile } from '../stored-files/stored-files.ts';
import { mediaUrl } from '../stored-files/urls.ts';
import * as queries from './uploads.queries.ts';

export interface Accepted {
  fileName: string;
  fileUrl: string;
  kind: 'video' | 'image';
  duplicate: boolean;
}

/**
 * Receives a file for a reel: the video itself, or the thumbnail that the client made of it. Its bytes decide what it
 * is (decisions §7). A refused file leaves nothing behind.
 */
export async function acceptReelFile(
  { db, storage, clock, config }: Context<'db' | 'storage' | 'clock' | 'config'>,
  ownerId: string,
  file: ReceivedFile,
  /** SHA-256 of the original from which a video was compressed, as claimed by the client. */
  original: Buffer | null = null,
): Promise<Accepted> {
  const context = { db, storage, config };
  const arrived = { ownerId, file, now: clock() };
  try {
    const isImage = (await sniff(file.path)).kind === 'image';
    return isImage ? await acceptThumbnail(context, arrived) : await acceptVideo(context, arrived, original);
  } catch (error) {
    await storage.discard(file.key);
    await storage.remove(file.key);
    throw error;
  }
}

/** The owner of the file, and when it arrived. */
export interface Arrived {
  ownerId: string;
  file: ReceivedFile;
  now: Date;
}

/** The bytes stay in the inbox until a reel is made from them. */
async function acceptVideo(
  { db, config }: Context<'db' | 'config'>,
  arrived: Arrived,
  original: Buffer | null,
): Promise<Accepted> {
  const { ownerId, file } = arrived;
  await inspectVideo(file.path, clientOfPerson(ownerId));
  const hashes = { sha256: file.sha256, original_sha256: original };
  const duplicate = await isKnownFile(db, hashes, ownerId);
  await file.store();
  await noteUpload(db, arrived, { kind: 'video', original });
  const fileUrl = mediaUrl(config.mediaOrigin, file.key, reelFiles.video);
  return { fileName: file.key, fileUrl, kind: 'video', duplicate };
}

/** A thumbnail is small: it is encoded again at once, and only the result is stored. */
async function acceptThumbnail(
  { db, storage, config }: Context<'db' | 'storage' | 'config'>,
  arrived: Arrived,
): Promise<Accepted> {
  const { ownerId, file } = arrived;
  if (file.bytes > limits.thumbnail.maxBytes) {
    throw thumbnailTooLarge();
  }
  const files = await storage.inWorkspace(async (folder) => {
    await encodeThumbnail(file.path, folder, clientOfPerson(ownerId));
    const made = await sizesIn(folder);
    await storage.publish(file.key, folder);
    return made;
  });
  await noteUpload(db, arrived, { kind: 'thumbnail', files });
  return {
    fileName: file.key,
    fileUrl: mediaUrl(config.mediaOrigin, file.key, thumbnailFile),
    kind: 'image',
    duplicate: false,
  };
}

export function thumbnailTooLarge(): Refusal {
  const megabytes = limits.thumbnail.maxBytes / 1024 / 1024;
  return new Refusal('file_too_large', { what: 'thumbnail', size: megabytes }, 'file');
}

/** Inserts the row of an accepted file, and registers its stored files. */
export async function noteUpload(
  db: Kysely<Tables>,
  { ownerId, file, now }: Arrived,
  {
    kind,
    original = null,
    facts,
    files,
    print = null,
  }: {
    kind: 'video' | 'photo' | 'thumbnail';
    original?: Buffer | null;
    facts?: PhotoFacts;
    files?: Record<string, number>;
    print?: Buffer | null;
  },
): Promise<void> {
  const { key, bytes, sha256 } = file;
  await inTransaction(db, async (trx) => {
    await queries.insertUpload(trx, {
      key,
      owner_id: ownerId,
      kind,
      bytes,
      sha256,
      original_sha256: original,
      facts: facts ? JSON.stringify(facts) : null,
      files: files ? JSON.stringify(files) : null,
      print,
      created_at: now,
    });
    await registerFile(trx, { ownerId, key, kind, state: 'waiting', files, bytes }, now);
  });
}

/** Deletes an unpublished upload, and its bytes. */
export async function dropUpload(
  { db, storage, clock }: Context<'db' | 'storage' | 'clock'>,
  key: string,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const ownerId = await queries.deleteUpload(trx, key);
    if (ownerId) await dropFiles(trx, { ownerId, keys: [key] }, clock());
  });
  await storage.discard(key);
}

/** Claims an upload for publishing, once; undefined if this person has none left of this key. */
export async function takeUpload(
  trx: Transaction<Tables>,
  wanted: { key: string; ownerId: string; kind: Tables['uploads']['kind'] },
  now: Date,
) {
  const upload = await queries.takeUpload(trx, wanted, now);
  if (upload) await putInUse(trx, { ownerId: wanted.ownerId, keys: [upload.key] }, now);
  return upload;
}
/** Stores what was made of an upload: names and sizes in bytes. */
export const noteFiles = queries.setFiles;
export const isOwnThumbnail = queries.isOwnThumbnail;
/** Locks and deletes the uploads of a person whose account is being deleted. */
export const holdUploads = queries.lockOf;
export const forgetUploads = queries.deleteOf;
