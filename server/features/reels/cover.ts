import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transaction } from 'kysely';
import { encodeCover } from '#server/media/encode-cover.ts';
import { reelFiles } from '#server/media/file-names.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { sizesIn } from '#server/platform/files.ts';
import { newKey } from '#server/platform/ids.ts';
import { clientOfPerson } from '#server/platform/networks.ts';
import { fetchFile } from '../stored-files/fetch-file.ts';
import { dropFiles, registerFile } from '../stored-files/stored-files.ts';
import { setCover } from './reels.queries.ts';

export interface Cover {
  key: string;
  second: number;
  placeholder: string;
  files: Record<string, number>;
}

/** Makes the pictures of a frame in a folder of their own; after a crash no row names it, and the sweeper deletes it. */
export async function makeCover(
  { storage }: Context<'storage'>,
  reel: { media_key: string; creator_id: string },
  second: number,
): Promise<Cover> {
  const key = newKey();
  return await storage.inWorkspace(async (workspace) => {
    const [video, folder] = [join(workspace, reelFiles.video), join(workspace, 'made')];
    await mkdir(folder);
    await fetchFile(storage, reel.media_key, reelFiles.video, video);
    const { placeholder } = await encodeCover(video, folder, second, clientOfPerson(reel.creator_id));
    const files = await sizesIn(folder);
    await storage.publish(key, folder);
    return { key, second, placeholder, files };
  });
}

/** Shows a new cover of a locked reel; the files of the one before are dropped. */
export async function putCover(
  trx: Transaction<Tables>,
  reel: { id: string; creator_id: string; cover_key: string | null },
  cover: Cover,
  now: Date,
): Promise<void> {
  const { creator_id: ownerId, cover_key: replaced } = reel;
  const { key, files } = cover;
  const bytes = Object.values(files).reduce((sum, size) => sum + size, 0);
  await registerFile(trx, { ownerId, key, kind: 'cover', files, bytes, state: 'in_use' }, now);
  if (replaced) await dropFiles(trx, { ownerId, keys: [replaced] }, now);
  await setCover(trx, reel, cover);
}
