import { join } from 'node:path';
import type { Client } from '../platform/fair-queue.ts';
import { reelFiles } from './file-names.ts';
import { runInChild } from './run-in-child.ts';
import type { CoverOutput } from './tasks/cover.ts';

/** Its creator waits for the response. */
const bounds = { seconds: 28, memory: 1024 ** 3, refuseDeadly: true };

/** Makes poster, tile and card in `folder` from the frame of one of our renditions that is shown at this second. */
export async function encodeCover(
  path: string,
  folder: string,
  second: number,
  client: Client,
): Promise<CoverOutput> {
  const { poster, card, tile } = reelFiles;
  const files = { poster: join(folder, poster), card: join(folder, card), tile: join(folder, tile) };
  return await runInChild('cover', { path, second, files }, { ...bounds, client });
}
