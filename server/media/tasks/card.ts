import { guarded, openPicture } from './open-picture.ts';

/** Some sites show no picture above 300 KB. */
export const cardQuality = { quality: 76, mozjpeg: true };

export interface CardInput {
  /** Path of our poster. */
  path: string;
  target: string;
  maxPixels: number;
}

/** Writes a reel's poster as JPEG. */
export async function card({ path, target, maxPixels }: CardInput): Promise<object> {
  const picture = await openPicture(path, 'webp', maxPixels);
  await guarded('webp', () => picture.jpeg(cardQuality).toFile(target));
  return {};
}
