import { join } from 'node:path';
import sharp from 'sharp';
import { beat } from './heartbeat.ts';
import { guarded, openPicture } from './open-picture.ts';

export interface AvifInput {
  /** Of the JPEG that we made. */
  path: string;
  folder: string;
  /** What is to be made, smallest first, and the bytes that each may have. */
  steps: { width: number; file: string; most: number }[];
  maxPixels: number;
}

export interface AvifOutput {
  /** Whether all of them are small enough to be worth it; else they are not all made. */
  isWorthIt: boolean;
}

/** At this quality a photo is as near to its original as our WebP is (docs/decisions/0034-photos-as-avif.md). */
const avifQuality = { quality: 56, effort: 4 };

/** Makes AVIF of a photo in several widths. */
export async function avif({ path, folder, steps, maxPixels }: AvifInput): Promise<AvifOutput> {
  const picture = await openPicture(path, 'jpeg', maxPixels);
  return await guarded('jpeg', async () => {
    // Decoded whole: a JPEG that is shrunk while it is read is less sharp.
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
