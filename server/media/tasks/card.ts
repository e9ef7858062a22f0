import { writeFile } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { cardBytes, photoCardSize } from '../card-limits.ts';
import type { ImageFormat } from '../sniff.ts';
import { guarded, openPicture } from './open-picture.ts';

export interface CardInput {
  /** Path of one of our pictures. */
  path: string;
  format: ImageFormat;
  target: string;
  maxPixels: number;
  /** Whether it is a photo, which is scaled to the size of its card. */
  isPhoto: boolean;
}

/** Writes one of our pictures as a JPEG for link previews. */
export async function card({ path, format, target, maxPixels, isPhoto }: CardInput): Promise<object> {
  const picture = await openPicture(path, format, maxPixels);
  await guarded(format, async () => {
    if (isPhoto) picture.resize({ ...photoCardSize((await picture.metadata()).autoOrient), fit: 'fill' });
    await writeCard(picture, target);
  });
  return {};
}

/** The first quality of which the file is small enough; even noise is at the last one. */
const qualities = [76, 60, 45, 30, 15];

export async function writeCard(picture: Sharp, target: string): Promise<void> {
  let bytes: Buffer = Buffer.alloc(0);
  for (const quality of qualities) {
    bytes = await picture.clone().jpeg({ quality, mozjpeg: true }).toBuffer();
    if (bytes.length <= cardBytes) break;
  }
  await writeFile(target, bytes);
}
