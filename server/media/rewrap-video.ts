import { join } from 'node:path';
import { limits } from '#contract/limits.ts';
import type { Client } from '../platform/fair-queue.ts';
import { reelFiles } from './file-names.ts';
import { containerOf } from './inspect-video.ts';
import { runInChild } from './run-in-child.ts';

const bounds = { seconds: 120, memory: 1024 ** 3, refuseDeadly: true };

/**
 * Makes an MP4 in `folder` with the same picture and sound and nothing else, for watching and saving, and writes its
 * thumbnail, a PNG (specification §5). Throws MediaRefusal if the video is invalid.
 */
export async function rewrapVideo(
  path: string,
  folder: string,
  thumbnail: string,
  client?: Client,
): Promise<void> {
  const container = await containerOf(path);
  const target = join(folder, reelFiles.video);
  await runInChild(
    'rewrap',
    { path, container, target, thumbnail, ...limits.thumbnail },
    { ...bounds, client },
  );
}
