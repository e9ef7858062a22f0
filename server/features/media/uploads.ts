import type { Kysely } from 'kysely';
import { limits } from '../../../contract/limits.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { ReceivedFile, Storage } from '../../platform/storage.ts';
import { encodeThumbnail } from './engine/encode-thumbnail.ts';
import { inspectVideo } from './engine/inspect-video.ts';
import { sniff } from './engine/sniff.ts';
import * as queries from './uploads.queries.ts';
import { mediaUrl, reelFiles, thumbnailFile } from './urls.ts';

export interface Accepted {
  fileName: string;
  fileUrl: string;
  kind: 'video' | 'image';
  duplicate: boolean;
}

/**
 * Takes in a file that arrived for a reel: the video itself, or the thumbnail the client made of it. What it is, is
 * decided by its bytes (decisions §7). A file that is refused leaves nothing behind.
 */
export async function acceptReelFile(
  db: Kysely<Tables>,
  storage: Storage,
  ownerId: string,
  file: ReceivedFile,
  mediaOrigin: string,
  now: Date,
): Promise<Accepted> {
  try {
    const isImage = (await sniff(file.path)).kind === 'image';
    const accept = isImage ? acceptThumbnail : acceptVideo;
    return await accept(db, storage, ownerId, file, mediaOrigin, now);
  } catch (error) {
    await storage.discard(file.key);
    throw error;
  }
}

/** The bytes stay in the inbox until a reel is made of them. */
async function acceptVideo(
  db: Kysely<Tables>,
  _storage: Storage,
  ownerId: string,
  file: ReceivedFile,
  mediaOrigin: string,
  now: Date,
): Promise<Accepted> {
  await inspectVideo(file.path);
  await insert(db, ownerId, 'video', file, now);
  return {
    fileName: file.key,
    fileUrl: mediaUrl(mediaOrigin, file.key, reelFiles.video),
    kind: 'video',
    duplicate: await queries.isPublished(db, file.sha256),
  };
}

/** A thumbnail is small: it is rewritten at once, and only what we wrote is kept. */
async function acceptThumbnail(
  db: Kysely<Tables>,
  storage: Storage,
  ownerId: string,
  file: ReceivedFile,
  mediaOrigin: string,
  now: Date,
): Promise<Accepted> {
  if (file.bytes > limits.thumbnail.maxBytes) {
    throw new Refusal(
      'file_too_large',
      `A thumbnail may have at most ${limits.thumbnail.maxBytes / 1024 / 1024} MB.`,
      'file',
    );
  }
  await storage.inWorkspace(async (folder) => {
    await encodeThumbnail(file.path, folder);
    await storage.publish(file.key, folder);
  });
  await insert(db, ownerId, 'thumbnail', file, now);
  await storage.discard(file.key);
  return {
    fileName: file.key,
    fileUrl: mediaUrl(mediaOrigin, file.key, thumbnailFile),
    kind: 'image',
    duplicate: false,
  };
}

function insert(
  db: Kysely<Tables>,
  ownerId: string,
  kind: 'video' | 'thumbnail',
  file: ReceivedFile,
  now: Date,
) {
  return queries.insertUpload(db, {
    key: file.key,
    owner_id: ownerId,
    kind,
    bytes: file.bytes,
    sha256: file.sha256,
    created_at: now,
  });
}

/** Takes an upload for publishing, once; undefined when there is none of this person's left to take. */
export const takeUpload = queries.takeUpload;
export const isOwnThumbnail = queries.isOwnThumbnail;
/** Notes the first publication of these bytes by anyone; false when there was one before (decisions §4). */
export const noteFirstPublication = queries.insertPublished;
