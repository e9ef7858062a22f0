import { join } from 'node:path';
import { retention } from '#contract/retention.ts';
import { encodeThumbnail } from '#server/media/encode-thumbnail.ts';
import { reelFiles, thumbnailFile } from '#server/media/file-names.ts';
import { inspectVideo } from '#server/media/inspect-video.ts';
import { rewrapVideo } from '#server/media/rewrap-video.ts';
import { sniff } from '#server/media/sniff.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { countNow } from '#server/platform/distributed-rate-limit.ts';
import type { Client } from '#server/platform/fair-queue.ts';
import { sizesIn } from '#server/platform/files.ts';
import { newKey } from '#server/platform/ids.ts';
import { ipPrefixesOf } from '#server/platform/ip-prefix.ts';
import { notSignedIn, Refusal } from '#server/platform/refusal.ts';
import { holding, type ReceivedFile, type Storage } from '#server/platform/storage.ts';
import { removeLater } from '../stored-files/removal.ts';
import { nobody, registerFile } from '../stored-files/stored-files.ts';
import { mediaUrl } from '../stored-files/urls.ts';
import { copyBytes, fetchVideo, type ImportContext, parseLink } from './imports.ts';

const hour = 60 * 60;
const countedFor = retention.fetchCountHours * hour;

export interface WithoutLogin {
  /** Imports a day for one IPv4 address or IPv6 /64; 0: none. */
  perDay: number;
  /** Secret for hashing the addresses in the counters. */
  secret: Buffer;
}

/**
 * Imports the video behind a link for a client without a login, to watch and save for an hour. It does not become an
 * upload, so that nobody can publish it. A failed import leaves nothing behind.
 */
export async function importWithoutLogin(
  context: ImportContext & WithoutLogin,
  address: string,
  text: string,
) {
  const { db, jobs, storage, config } = context;
  const { link, extractor } = parseLink(context, text);
  if (context.perDay === 0) throw notSignedIn();
  return await context.queue.ofVisitor(address, async () => {
    await countFetch(context, address);
    const { file, title } = await fetchVideo(context, extractor, link);
    const key = newKey();
    try {
      const files = await holding(file, () =>
        publishCopy(storage, file, key, ['nobody', ...ipPrefixesOf(address)]),
      );
      await inTransaction(db, async (trx) => {
        const stored = { ownerId: nobody, key, kind: 'copy', files, bytes: file.bytes } as const;
        await registerFile(trx, { ...stored, state: 'waiting' }, context.clock());
        await removeLater(trx, jobs, [key], retention.fetchedHours * hour);
      });
    } catch (error) {
      await storage.remove(key);
      throw error;
    }
    return {
      fileUrl: mediaUrl(config.mediaOrigin, key, reelFiles.video),
      thumbnailUrl: mediaUrl(config.mediaOrigin, key, thumbnailFile),
      title,
      sourceUrl: link.page,
      duplicate: false,
    };
  });
}

/** An IPv6 /48 may have this many times as much: it may belong to one customer, or to a carrier with thousands of households and phones. */
const ofGroup = 100;

/**
 * Counts an import for the household, and then for the /48 around it; throws above either limit. All processes share the counters. Failed
 * imports count too, since they also cost a download.
 */
export async function countFetch(
  { db, perDay, secret }: Pick<ImportContext & WithoutLogin, 'db' | 'perDay' | 'secret'>,
  address: string,
): Promise<void> {
  // An import that is refused to a household is not counted for the /48.
  const [network = '', group] = ipPrefixesOf(address).toReversed();
  await countOne({ db, perDay, secret }, network);
  if (group !== undefined) await countOne({ db, perDay: ofGroup * perDay, secret }, group);
}

async function countOne(
  { db, perDay, secret }: Pick<ImportContext & WithoutLogin, 'db' | 'perDay' | 'secret'>,
  network: string,
): Promise<void> {
  const { current, endsIn } = await countNow({ db, secret }, `link ${network}`, {
    window: countedFor * 1000,
  });
  if (current <= perDay) return;
  const refusal = new Refusal(
    'import_limit',
    perDay === 1 ? { what: 'one' } : { what: 'many', most: perDay },
    'link',
  );
  refusal.retryAfter = Math.ceil(endsIn / 1000);
  throw refusal;
}

/** Publishes a copy to watch, and its thumbnail, under an unguessable key. */
async function publishCopy(
  storage: Storage,
  file: ReceivedFile,
  key: string,
  client: Client,
): Promise<Record<string, number>> {
  if ((await sniff(file.path)).kind !== 'video') throw new Refusal('link_failed', {}, 'link');
  await inspectVideo(file.path, client);
  return await storage.inWorkspace(async (pictures) => {
    const picture = join(pictures, 'thumbnail.png');
    return await storage.inWorkspace(async (folder) => {
      await rewrapVideo(file.path, folder, picture, client);
      await encodeThumbnail(picture, folder, client);
      const made = await sizesIn(folder);
      await storage.publish(key, folder);
      return made;
    }, copyBytes(file));
  });
}
