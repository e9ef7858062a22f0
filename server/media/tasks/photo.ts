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
  /** Names of the picture for all browsers, and of the small square one. */
  file: string;
  small: string;
  maxPixels: number;
}

export interface PhotoOutput {
  placeholder: string;
  /** Size of the largest rendition, in pixels. */
  width: number;
  height: number;
  /** Widths of the WebP renditions, `<width>.webp`. */
  widths: number[];
  /** Its print, in base64; null if none could be made. */
  print: string | null;
}

/** Width of a profile picture in pixels. */
const smallSide = 192;

/** Encodes a photo as WebP in several widths and as JPEG, without the metadata of the original. */
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
    // A picture without a print counts as a new work: the search for copies must not refuse anybody.
    const print = await printOf(decoded).catch(() => null);
    return { placeholder, width, height, widths, print };
  });
}
