import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { diskFault } from '../disk-fault.ts';
import { MediaRefusal } from '../refusal.ts';
import type { ImageFormat } from '../sniff.ts';

sharp.cache(false);
sharp.concurrency(1);

/** Opens a picture of the sniffed kind: upright, its first page, in sRGB; refused by its header if it is too large. */
export async function openPicture(path: string, format: ImageFormat, maxPixels: number): Promise<Sharp> {
  const unreadable = unreadableAs(format);
  const picture = sharp(path, { limitInputPixels: maxPixels, failOn: 'error', pages: 1, unlimited: false });
  let width: number;
  let height: number;
  let read: string;
  let codec: string | undefined;
  let icc: Buffer | undefined;
  try {
    ({ width, height, format: read, compression: codec, icc } = await picture.metadata());
  } catch (error) {
    throw isTooLarge(error) ? tooManyPixels(maxPixels) : unreadable;
  }
  if (width * height > maxPixels) throw tooManyPixels(maxPixels);
  // AVIF and HEIC are reported as "heif"; any other difference means a file that is valid as two formats.
  if (format === 'png' && !(await areChunksWhole(path))) throw unreadable;
  const isHeif = format === 'avif' || format === 'heic';
  if (read !== format && !(isHeif && read === 'heif')) throw unreadable;
  if (codec !== 'hevc') return picture.rotate().toColourspace('srgb');
  // Two megabytes of WebAssembly that few tasks need.
  const { openHeic } = await import('./open-heic.ts');
  return (await guarded(format, () => openHeic(path, icc))).toColourspace('srgb');
}

/** Whether each part of a PNG ends inside the file: sharp accepts files that other programs and browsers refuse. */
async function areChunksWhole(path: string): Promise<boolean> {
  const bytes = await readFile(path);
  for (let at = 8; at + 8 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return false;
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return true;
    at = end;
  }
  return true;
}

/** Writes the output of `make`; errors of the picture's data are refusals of the file. */
export async function guarded<T>(format: ImageFormat, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    throw diskFault(String(error)) ? error : unreadableAs(format);
  }
}

/** A HEIC picture that we cannot decode may still be valid. */
function unreadableAs(format: ImageFormat): MediaRefusal {
  return new MediaRefusal('file_unreadable', format === 'heic' ? { what: 'heic' } : { what: 'picture' });
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && error.message.includes('pixel limit');
}

function tooManyPixels(maxPixels: number): MediaRefusal {
  return new MediaRefusal('image_too_many_pixels', { what: 'picture', millions: maxPixels / 1_000_000 });
}
