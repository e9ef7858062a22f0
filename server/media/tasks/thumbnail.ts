import type { ImageFormat } from '../sniff.ts';
import { guarded, openPicture } from './open-picture.ts';

export interface ThumbnailInput {
  path: string;
  format: ImageFormat;
  target: string;
  width: number;
  height: number;
  maxPixels: number;
}

export type ThumbnailOutput = Record<string, never>;

/** Encodes the picture that a client took from its video. */
export async function thumbnail({
  path,
  format,
  target,
  width,
  height,
  maxPixels,
}: ThumbnailInput): Promise<ThumbnailOutput> {
  const picture = await openPicture(path, format, maxPixels);
  await guarded(format, () =>
    picture
      .resize({ width, height, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toFile(target),
  );
  return {};
}
