import { join } from 'node:path';
import sharp from 'sharp';
import type { ImageFormat } from '../sniff.ts';
import { guarded, openPicture } from './open-picture.ts';
import { photoSize, widthsOf } from './photo-size.ts';
import { placeholderOf } from './placeholder.ts';
import { printOf } from './print.ts';

export interface PhotoInput {
  path: string;
  format: ImageFormat;
  folder: string;
  /** Name of the picture that every browser reads, and of the small square one. */
  file: string;
  small: string;
  maxPixels: number;
}

export interface PhotoOutput {
  placeholder: string;
  /** Of the largest rendition, in pixels. */
  width: number;
  height: number;
  /** Of the WebP renditions, `<width>.webp`. */
  widths: number[];
  /** What it is recognized by if it is published again, in base64; null where that could not be made. */
  print: string | null;
}

/** Width of a profile picture in pixels. */
const smallSide = 192;

/** Rewrites a photo as WebP in several widths and as JPEG; nothing of the original's metadata is carried over. */
export async function photo({
  path,
  format,
  folder,
  file,
  small,
  maxPixels,
}: PhotoInput): Promise<PhotoOutput> {
  const picture = await openPicture(path, format, maxPixels);
  return await guarded(format, async () => {
    const { autoOrient } = await picture.metadata();
    const largest = picture.resize({ ...photoSize(autoOrient), fit: 'fill' });
    const { data, info } = await largest
      .flatten({ background: '#fff' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    const decoded = sharp(data, { raw: { width, height, channels } });
    const widths = widthsOf(width);
    for (const step of widths) {
      await decoded
        .clone()
        .resize({ width: step })
        .webp({ quality: 78 })
        .toFile(join(folder, `${step}.webp`));
    }
    await decoded
      .clone()
      .resize({ width: smallSide, height: smallSide, fit: 'cover' })
      .webp({ quality: 78 })
      .toFile(join(folder, small));
    await decoded.clone().jpeg({ quality: 82, mozjpeg: true }).toFile(join(folder, file));
    const placeholder = await placeholderOf(decoded);
    // A picture without a print is a new work: nobody is refused because of what we look for.
    const print = await printOf(decoded).catch(() => null);
    return { placeholder, width, height, widths, print };
  });
}
