import type { Sharp } from 'sharp';
import { findSpots } from '../prints/find-spots.ts';
import { encodePrint } from '../prints/picture-print.ts';
import { guarded, openPicture } from './open-picture.ts';

/** Longer side in pixels of the picture in which spots are searched, and of the one for later comparisons. */
const [searched, compared] = [256, 128];

export interface PrintInput {
  /** Path of our JPEG. */
  path: string;
  maxPixels: number;
}

export interface PrintOutput {
  print: string | null;
}

/** Makes the print of an earlier photo. */
export async function print({ path, maxPixels }: PrintInput): Promise<PrintOutput> {
  const picture = await openPicture(path, 'jpeg', maxPixels);
  return await guarded('jpeg', async () => ({ print: await printOf(picture) }));
}

/** The print of a picture, in base64; null if it shows nothing. */
export async function printOf(picture: Sharp): Promise<string | null> {
  const { width, height, bytes } = await greyOf(picture, searched);
  const small = await greyOf(picture, compared);
  const spots = findSpots({ width, height, values: Float32Array.from(bytes) });
  // Only the whole picture: without details it resembles all other plain pictures.
  if (spots.length === 1) return null;
  return encodePrint({ ...small, grey: small.bytes, spots }).toString('base64');
}

async function greyOf(picture: Sharp, longest: number) {
  const { data: bytes, info } = await picture
    .clone()
    .resize(longest, longest, { fit: 'inside' })
    .toColourspace('b-w')
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, bytes };
}
