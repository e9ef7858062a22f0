import { join } from 'node:path';
import sharp from 'sharp';
import { beat } from './heartbeat.ts';
import { guarded, openPicture } from './open-picture.ts';

export interface AvifInput {
  /** Path of our JPEG. */
  path: string;
  folder: string;
  /** The files to be made, smallest first, and the maximum bytes of each. */
  steps: { width: number; file: string; most: number }[];
  maxPixels: number;
}

export interface AvifOutput {
  /** Whether all of them are small enough to be worth it; otherwise not all of them are made. */
  isWorthIt: boolean;
}

/** With this quality a photo is as close to its original as our WebP (docs/decisions/0034-photos-as-avif.md). */
const avifQuality = { quality: 56, effort: 4 };

/** Makes AVIF of a photo in several widths. */
export async function avif({ path, folder, steps, maxPixels }: AvifInput): Promise<AvifOutput> {
  const picture = await openPicture(path, 'jpeg', maxPixels);
  return await guarded('jpeg', async () => {
    // Decoded in full size: a JPEG that is scaled while it is decoded is less sharp.
    const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    const decoded = sharp(data, { raw: { width, height, channels } });
    for (const step of steps) {
      const { size } = await decoded
        .clone()
        .resize({ width: step.width })
        .avif(avifQuality)
        .toFile(join(folder, step.file));
      if (size > step.most) return { isWorthIt: false };
      beat();
    }
    return { isWorthIt: true };
  });
}
