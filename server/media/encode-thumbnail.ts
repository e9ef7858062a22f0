import { join } from 'node:path';
import { limits } from '#contract/limits.ts';
import type { Client } from '../platform/fair-queue.ts';
import { formatOf } from './encode-photo.ts';
import { thumbnailFile } from './file-names.ts';
import { runInChild } from './run-in-child.ts';

const bounds = { seconds: 20, memory: 512 * 1024 ** 2, refuseDeadly: true };
/** A thumbnail is at most as large as a screen. */
const maxPixels = 4_000_000;

/** Encodes the picture that a client took from its video into `folder`. Throws MediaRefusal if it is invalid. */
export async function encodeThumbnail(path: string, folder: string, client?: Client): Promise<void> {
  const format = await formatOf(path);
  const { width, height } = limits.thumbnail;
  await runInChild(
    'thumbnail',
    { path, format, target: join(folder, thumbnailFile), width, height, maxPixels },
    { ...bounds, client },
  );
}
