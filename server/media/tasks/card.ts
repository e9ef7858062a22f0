import { writeFile } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { cardBytes, photoCardSize, wideCard } from '../card-limits.ts';
import type { ImageFormat } from '../sniff.ts';
import { guarded, openPicture } from './open-picture.ts';

/** The size and shape of a card: that of its picture, that of a photo's card, or that of a preview. */
export type CardShape = 'picture' | 'photo' | 'wide';

export interface CardInput {
  /** Path of one of our pictures. */
  path: string;
  format: ImageFormat;
  target: string;
  maxPixels: number;
  shape: CardShape;
}

/** Writes one of our pictures as a JPEG for link previews. */
export async function card({ path, format, target, maxPixels, shape }: CardInput): Promise<object> {
  const picture = await openPicture(path, format, maxPixels);
  await guarded(format, async () => writeCard(await shapes[shape](picture), target));
  return {};
}

const shapes: Record<CardShape, (picture: Sharp) => Sharp | Promise<Sharp>> = {
  picture: (picture) => picture,
  photo: async (picture) =>
    picture.resize({ ...photoCardSize((await picture.metadata()).autoOrient), fit: 'fill' }),
  wide: async (picture) => {
    const whole = await picture
      .clone()
      .resize({ ...wideCard, fit: 'inside' })
      .toBuffer();
    return picture
      .resize({ ...wideCard, fit: 'cover' })
      .blur(24)
      .modulate({ brightness: 0.6 })
      .composite([{ input: whole }]);
  },
};

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
