/** Some sites show no larger picture, in bytes. */
export const cardBytes = 300_000;
/** Longest side of the card of a photo, in pixels. */
const longest = 1280;

/** The shape in which most sites show the picture of a link, in pixels. */
export const wideCard = { width: 1200, height: 630 };

interface Size {
  width: number;
  height: number;
}

/** The size of the card of a photo of this size, never larger than the photo. */
export function photoCardSize({ width, height }: Size): Size {
  const factor = Math.min(1, longest / Math.max(width, height));
  const scaled = (side: number) => Math.max(1, Math.round(side * factor));
  return { width: scaled(width), height: scaled(height) };
}
