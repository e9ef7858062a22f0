/** What a reel's folder in the media store holds. */
export const reelFiles = { video: 'video.mp4', poster: 'poster.webp', tile: 'tile.webp' } as const;
/** What a thumbnail's folder holds. */
export const thumbnailFile = 'thumbnail.webp';
/** What a folder of captions holds. */
export const captionsFile = (language: string) => `captions-${language.toLowerCase()}.vtt`;
/** The picture that every browser reads; beside it stand `<width>.webp`. */
export const photoFile = 'photo.jpg';
/** A small square of it, for faces. */
export const smallPhotoFile = 'small.webp';

/** The public address of a stored file. */
export function mediaUrl(mediaOrigin: string, key: string, file: string): string {
  return `${mediaOrigin}/media/${key}/${file}`;
}

/** A photo's WebP renditions, smallest first. */
export function renditionsOf(mediaOrigin: string, key: string, widths: number[]) {
  return widths
    .toSorted((one, other) => one - other)
    .map((width) => ({ width, url: mediaUrl(mediaOrigin, key, `${width}.webp`) }));
}

/** Where a profile picture is; empty when there is none. */
export function pictureUrl(key: string | null, mediaOrigin: string): string {
  return key ? mediaUrl(mediaOrigin, key, smallPhotoFile) : '';
}
