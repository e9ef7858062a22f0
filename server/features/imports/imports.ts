import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely, Selectable } from 'kysely';
import { limits } from '#contract/limits.ts';
import { reelFiles, thumbnailFile } from '#server/media/file-names.ts';
import { rewrapVideo } from '#server/media/rewrap-video.ts';
import { sniff } from '#server/media/sniff.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import type { Client } from '#server/platform/fair-queue.ts';
import { sizesIn } from '#server/platform/files.ts';
import { newKey } from '#server/platform/ids.ts';
import { clientOfPerson } from '#server/platform/networks.ts';
import { Refusal, videoTooLong } from '#server/platform/refusal.ts';
import { holding, type ReceivedFile, type Storage } from '#server/platform/storage.ts';
import { isKnownFile } from '../prints/known-files.ts';
import { registerFile } from '../stored-files/stored-files.ts';
import { mediaUrl } from '../stored-files/urls.ts';
import type { Unpublished } from '../uploads/unpublished.ts';
import { acceptReelFile, dropUpload } from '../uploads/uploads.ts';
import { download } from './download.ts';
import type { Extractor } from './extractor.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import * as queries from './imports.queries.ts';
import { type Link, readLink } from './link.ts';
import type { ImportQueue } from './queue.ts';

/** Dependencies of imports beside the context. */
export interface ImportContext extends Context {
  fetch: GuardedFetch;
  /** Undefined if this server does not import links. */
  extractor: Extractor | undefined;
  queue: ImportQueue;
  unpublished: Unpublished;
  logger: Pick<FastifyBaseLogger, 'warn'>;
}

export interface Imported {
  fileUrl: string;
  thumbnailUrl: string;
  fileName: string;
  title: string;
  sourceUrl: string;
  duplicate: boolean;
}

const minute = 60_000;
/** Maximum time for finding and downloading a video, in milliseconds. */
const timeout = 3 * minute;
/** Maximum age of an unpublished import that is reused; the sweeper may soon remove an older upload. */
const reusableFor = 20 * 60 * minute;
/** What an import produces: the video, a copy to watch and a thumbnail. */
const filesOfImport = 3;

/**
 * Imports the video behind a link: it becomes an upload of this person, under the rules of every upload, with a copy
 * to watch and its source address. A repeated request gets the same answer. A failed import leaves nothing behind.
 */
export async function importLink(
  context: ImportContext,
  personId: string,
  text: string,
  site?: Link['site'],
): Promise<Imported> {
  const now = context.clock();
  const { link, extractor } = parseLink(context, text, site);
  return await context.queue.ofPerson(personId, async () => {
    const since = new Date(now.getTime() - reusableFor);
    const before = await queries.findUnused(context.db, personId, link.page, since);
    if (before) {
      const duplicate = await isKnownFile(context.db, before, personId);
      return asImported({ ...before, duplicate }, context.config.mediaOrigin);
    }
    let leave: (() => void) | undefined;
    // Called as soon as the video's host has sent its length, before any of it is stored.
    const receive: Storage['receive'] = async (bytes, announced) => {
      const coming = { files: filesOfImport, bytes: 2 * (announced ?? limits.video.maxBytes) };
      leave = await context.unpublished.enter(personId, coming);
      return await context.storage.receive(bytes, announced);
    };
    try {
      const storage = { ...context.storage, receive };
      const { file, title } = await fetchVideo({ ...context, storage }, extractor, link);
      return await holding(file, () => acceptImport(context, personId, { link, file, title, now }));
    } finally {
      leave?.();
    }
  });
}

/** Parses the pasted link and returns it with the extractor. Throws if either is missing. */
export function parseLink(
  { extractor }: Pick<ImportContext, 'extractor'>,
  text: string,
  site?: Link['site'],
): { link: Link; extractor: Extractor } {
  const link = readLink(text);
  if (!link || (site && link.site !== site)) throw new Refusal('link_invalid', {}, 'link');
  if (!extractor) throw new Refusal('link_failed', {}, 'link');
  return { link, extractor };
}

/** Downloads the video into the inbox. The cause of a failure is logged; the client gets one general sentence. */
export async function fetchVideo(
  { fetch, storage, logger }: ImportContext,
  extractor: Extractor,
  link: Link,
) {
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(timeout)]);
  try {
    const video = await extractor(link, signal);
    if ((video.seconds ?? 0) > limits.video.maxSeconds + limits.video.toleranceSeconds)
      throw videoTooLong(limits.video.maxSeconds, 'link');
    const file = await download(fetch, storage, video.media, signal);
    return { file, title: video.title };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    logger.warn({ err: error, page: link.page }, 'a link could not be fetched');
    throw new Refusal('link_failed', {}, 'link');
  } finally {
    // Aborts a response that was not read to its end.
    ending.abort();
  }
}

async function acceptImport(
  context: ImportContext,
  personId: string,
  { link, file, title, now }: { link: Link; file: ReceivedFile; title: string; now: Date },
): Promise<Imported> {
  const { db, storage, config } = context;
  if ((await sniff(file.path)).kind !== 'video') throw new Refusal('link_failed', {}, 'link');
  // Video, thumbnail and copy expire together.
  const asOf = { ...context, clock: () => now };
  const { duplicate } = await acceptReelFile(asOf, personId, file);
  const copyKey = newKey();
  try {
    const copy = await makeCopy(storage, file, copyKey, clientOfPerson(personId));
    const thumbnail = await holding(copy.thumbnail, (picture) => acceptReelFile(asOf, personId, picture));
    const row = {
      upload_key: file.key,
      person_id: personId,
      source_url: link.page,
      title: title.slice(0, limits.caption),
      copy_key: copyKey,
      thumbnail_key: thumbnail.fileName,
      imported_at: now,
    };
    await noteImport(db, row, { files: copy.files, bytes: file.bytes });
    return asImported({ ...row, duplicate }, config.mediaOrigin);
  } catch (error) {
    await storage.remove(copyKey);
    await dropUpload(context, file.key);
    throw error;
  }
}

/** Stores the source address of an upload, and registers its copy, which counts as many bytes as the upload. */
export async function noteImport(
  db: Kysely<Tables>,
  row: Selectable<Tables['imports']>,
  copy: { files: Record<string, number>; bytes: number },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await queries.insertImport(trx, row);
    const stored = { ownerId: row.person_id, key: row.copy_key, kind: 'copy', ...copy } as const;
    await registerFile(trx, { ...stored, state: 'waiting' }, row.imported_at);
  });
}

/** Maximum size of a copy: the size of its file, and a little more. */
export const copyBytes = ({ bytes }: ReceivedFile) => bytes + 1024 * 1024;

/** Publishes a copy to watch under an unguessable key; returns its files, and the video's thumbnail in the inbox. */
async function makeCopy(
  storage: Storage,
  file: ReceivedFile,
  copyKey: string,
  client: Client,
): Promise<{ files: Record<string, number>; thumbnail: ReceivedFile }> {
  return await storage.inWorkspace(async (pictures) => {
    const thumbnail = join(pictures, 'thumbnail.png');
    const files = await storage.inWorkspace(async (folder) => {
      await rewrapVideo(file.path, folder, thumbnail, client);
      const made = await sizesIn(folder);
      await storage.publish(copyKey, folder);
      return made;
    }, copyBytes(file));
    return { files, thumbnail: await storage.receive(createReadStream(thumbnail)) };
  });
}

function asImported(
  row: Pick<Tables['imports'], 'upload_key' | 'copy_key' | 'thumbnail_key' | 'title' | 'source_url'> & {
    duplicate: boolean;
  },
  mediaOrigin: string,
): Imported {
  return {
    fileUrl: mediaUrl(mediaOrigin, row.copy_key, reelFiles.video),
    thumbnailUrl: mediaUrl(mediaOrigin, row.thumbnail_key, thumbnailFile),
    fileName: row.upload_key,
    title: row.title,
    sourceUrl: row.source_url,
    duplicate: row.duplicate,
  };
}
