import type { Sharp } from 'sharp';
import { findSpots } from '../prints/find-spots.ts';
import { encodePrint } from '../prints/picture-print.ts';
import { guarded, openPicture } from './open-picture.ts';

/** Longer side in pixels of what spots are searched in, and of what is compared later. */
const [searched, compared] = [256, 128];

export interface PrintInput {
  /** Of a JPEG that we made. */
  path: string;
  maxPixels: number;
}

export interface PrintOutput {
  print: string | null;
}

/** What a photo is recognized by that was encoded before. */
export async function print({ path, maxPixels }: PrintInput): Promise<PrintOutput> {
  const picture = await openPicture(path, 'jpeg', maxPixels);
  return await guarded('jpeg', async () => ({ print: await printOf(picture) }));
}

/** What a picture is recognized by, in base64; null where nothing is on it. */
export async function printOf(picture: Sharp): Promise<string | null> {
  const { width, height, bytes } = await greyOf(picture, searched);
  const small = await greyOf(picture, compared);
  const spots = findSpots({ width, height, values: Float32Array.from(bytes) });
  // The whole picture alone: what is plain is like all that is plain.
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
