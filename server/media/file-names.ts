/** The JPEG for link previews. That of a photo is made when it is first requested (server/features/stored-files/cards.ts). */
export const cardFile = 'card.jpg';
/** A smaller one beside a card that was stored too large, also made when it is first requested. */
export const smallCardFile = 'small-card.jpg';

/** The card in the shape of most previews, made when it is first requested. */
export const wideCardFile = 'wide-card.jpg';

/** Files in a reel's folder of the media store. */
export const reelFiles = {
  video: 'video.mp4',
  poster: 'poster.webp',
  /** The poster as JPEG for link previews; for older reels in another folder. */
  card: cardFile,
  tile: 'tile.webp',
} as const;
/** Files in a thumbnail's folder. */
export const thumbnailFile = 'thumbnail.webp';
/** Files in a folder of captions. */
export const captionsFile = (language: string) => `captions-${language.toLowerCase()}.vtt`;
/** The picture for all browsers; `<width>.webp` are in the same folder. */
export const photoFile = 'photo.jpg';
/** A small square version, for profile pictures. */
export const smallPhotoFile = 'small.webp';
/** The name of an AVIF file by its width. */
export const avifFile = (width: number) => `${width}.avif`;
