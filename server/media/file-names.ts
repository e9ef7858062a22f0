/** What a reel's folder in the media store holds. */
export const reelFiles = {
  video: 'video.mp4',
  poster: 'poster.webp',
  /** The poster as what every site that shows links reads; of older reels in another folder. */
  card: 'card.jpg',
  tile: 'tile.webp',
} as const;
/** What a thumbnail's folder holds. */
export const thumbnailFile = 'thumbnail.webp';
/** What a folder of captions holds. */
export const captionsFile = (language: string) => `captions-${language.toLowerCase()}.vtt`;
/** The picture that every browser can show; `<width>.webp` are in the same folder. */
export const photoFile = 'photo.jpg';
/** A small square of it, for faces. */
export const smallPhotoFile = 'small.webp';
/** The name of an AVIF file by its width. */
export const avifFile = (width: number) => `${width}.avif`;
