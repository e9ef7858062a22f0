import { join } from 'node:path';
import { limits } from '#contract/limits.ts';
import type { Client } from '../platform/fair-queue.ts';
import { formatOf } from './encode-photo.ts';
import { thumbnailFile } from './file-names.ts';
import { runInChild } from './run-in-child.ts';

const bounds = { seconds: 20, memory: 512 * 1024 ** 2, refuseDeadly: true };
/** A thumbnail is a screen's worth at most. */
const maxPixels = 4_000_000;

/** Rewrites the picture that a client took of its video into `folder`. Throws MediaRefusal where it is at fault. */
export async function encodeThumbnail(path: string, folder: string, client?: Client): Promise<void> {
  const format = await formatOf(path);
  const { width, height } = limits.thumbnail;
  await runInChild(
    'thumbnail',
    { path, format, target: join(folder, thumbnailFile), width, height, maxPixels },
    { ...bounds, client },
  );
}
