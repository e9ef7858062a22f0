import type { Kysely, Transaction } from 'kysely';
import { encodePhoto } from '#server/media/encode-photo.ts';
import { photoFile } from '#server/media/file-names.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { sizesIn } from '#server/platform/files.ts';
import { clientOfPerson } from '#server/platform/networks.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { ReceivedFile } from '#server/platform/storage.ts';
import { isKnownFile } from '../prints/known-files.ts';
import { mediaUrl } from '../stored-files/urls.ts';
import * as queries from './uploads.queries.ts';
import { noteUpload, takeUpload } from './uploads.ts';

/**
 * Receives a photo for a post or a story: it is encoded again at once, and only the result is stored (decisions §7). A
 * refused file leaves nothing behind.
 */
export async function acceptPhoto(
  { db, storage, clock, config }: Context<'db' | 'storage' | 'clock' | 'config'>,
  ownerId: string,
  file: ReceivedFile,
): Promise<{ fileName: string; fileUrl: string; duplicate: boolean }> {
  const now = clock();
  try {
    const { facts, files, print } = await storage.inWorkspace(async (folder) => {
      const client = clientOfPerson(ownerId);
      const { print, ...facts } = await encodePhoto(file.path, folder, client);
      const files = await sizesIn(folder);
      await storage.publish(file.key, folder);
      return { facts, files, print: print === null ? null : Buffer.from(print, 'base64') };
    });
    const duplicate = await isKnownFile(db, file, ownerId);
    await noteUpload(db, { ownerId, file, now }, { kind: 'photo', facts, files, print });
    return { fileName: file.key, fileUrl: mediaUrl(config.mediaOrigin, file.key, photoFile), duplicate };
  } catch (error) {
    await storage.remove(file.key);
    throw error;
  }
}

/** The print of an unpublished photo. */
export const printOfPhoto = queries.printOf;

/** Claims a photo for publishing, once, with its stored data; undefined if there is none. */
export async function takePhoto(trx: Transaction<Tables>, key: string, ownerId: string, now: Date) {
  const upload = await takeUpload(trx, { key, ownerId, kind: 'photo' }, now);
  if (!upload?.facts) return undefined;
  return { key: upload.key, sha256: upload.sha256, ...upload.facts };
}

/** The size of the largest rendition in pixels; undefined if it was not stored. */
export async function photoSize(
  db: Kysely<Tables>,
  key: string,
): Promise<{ width: number; height: number } | undefined> {
  const facts = (await queries.findUpload(db, key))?.facts;
  return facts ? { width: facts.width, height: facts.height } : undefined;
}

/** The reason why there is no photo to publish. */
export async function noPhoto(db: Kysely<Tables>, key: string, ownerId: string): Promise<Refusal> {
  return (await queries.isOwnPhoto(db, key, ownerId))
    ? new Refusal('upload_used', { what: 'photo' }, 'fileName')
    : new Refusal('upload_unknown', { what: 'photo' }, 'fileName');
}
