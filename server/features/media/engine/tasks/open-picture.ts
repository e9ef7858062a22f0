import sharp, { type Sharp } from 'sharp';
import { MediaRefusal } from '../refusal.ts';
import type { ImageFormat } from '../sniff.ts';

sharp.cache(false);
sharp.concurrency(1);

/** Opens a picture by what it was sniffed as: upright, its first page, in sRGB; refused by its header when too large. */
export async function openPicture(path: string, format: ImageFormat, maxPixels: number): Promise<Sharp> {
  const unreadable = new MediaRefusal('file_unreadable', 'This picture cannot be read; it may be damaged.');
  const picture = sharp(path, { limitInputPixels: maxPixels, failOn: 'error', pages: 1, unlimited: false });
  let width: number;
  let height: number;
  let read: string;
  try {
    ({ width, height, format: read } = await picture.metadata());
  } catch (error) {
    throw isTooLarge(error) ? tooManyPixels(maxPixels) : unreadable;
  }
  if (width * height > maxPixels) throw tooManyPixels(maxPixels);
  // AVIF is read as "heif"; any other difference is a file that is two things at once.
  if (read !== format && !(format === 'avif' && read === 'heif')) throw unreadable;
  return picture.rotate().toColourspace('srgb');
}

/** Writes what `make` makes of a picture; bytes that turn out broken on the way are the file's fault. */
export async function guarded<T>(make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch {
    throw new MediaRefusal('file_unreadable', 'This picture cannot be read; it may be damaged.');
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && error.message.includes('pixel limit');
}

function tooManyPixels(maxPixels: number): MediaRefusal {
  return new MediaRefusal(
    'image_too_many_pixels',
    `This picture has more than ${maxPixels / 1_000_000} million pixels.`,
  );
}
