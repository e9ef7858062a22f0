import { photoCardSize } from '#server/media/card-limits.ts';
import { avifFile, cardFile, smallPhotoFile, wideCardFile } from '#server/media/file-names.ts';

/** The folders in the media store with the renditions of a photo. */
export const mediaKeysOf = (row: { media_key: string; extra_key: string | null }): string[] =>
  row.extra_key ? [row.media_key, row.extra_key] : [row.media_key];

/** The public URL of a stored file. */
export function mediaUrl(mediaOrigin: string, key: string, file: string): string {
  return `${mediaOrigin}/media/${key}/${file}`;
}

interface Size {
  width: number;
  height: number;
}

/**
 * The pictures for link previews: always of the site itself, since a signed address ends, and a card may have to be made first.
 */
export const cardOf = (key: string, { width, height }: Size) => ({
  url: mediaUrl('', key, cardFile),
  width,
  height,
  wideUrl: mediaUrl('', key, wideCardFile),
});

/** The cards of a photo of this size. */
export const photoCard = (key: string, size: Size) => cardOf(key, photoCardSize(size));

/** A photo's WebP renditions, smallest first. */
export function renditionsOf(mediaOrigin: string, key: string, widths: number[]) {
  return widths
    .toSorted((width, other) => width - other)
    .map((width) => ({ width, url: mediaUrl(mediaOrigin, key, `${width}.webp`) }));
}

/** The same renditions as AVIF, if they were made. */
export function avifOf(
  mediaOrigin: string,
  { extra_key: key, extra_files: files }: { extra_key: string | null; extra_files: object | null },
) {
  if (!key) return {};
  const widths = Object.keys(files ?? {}).map((name) => Number.parseInt(name, 10));
  const avif = widths
    .toSorted((width, other) => width - other)
    .map((width) => ({ width, url: mediaUrl(mediaOrigin, key, avifFile(width)) }));
  return { avif };
}

/** The URL of a profile picture; empty if there is none. */
export function pictureUrl(key: string | null, mediaOrigin: string): string {
  return key ? mediaUrl(mediaOrigin, key, smallPhotoFile) : '';
}
