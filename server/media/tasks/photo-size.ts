/** Width of the largest rendition of an ordinary photo, in pixels; and widths of the smaller ones. */
export const widest = 1440;
const steps = [360, 720, 1080, widest, 2 * widest, 4 * widest, 8 * widest];
/** A panorama may be longer, so that its short side stays readable; WebP ends at 16,383 pixels. */
const panorama = { short: 720, long: 16_000, area: 2 * widest * widest };

interface Size {
  width: number;
  height: number;
}

/** The size of a photo's largest rendition, never larger than the photo. */
export function photoSize({ width, height }: Size): Size {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const fitting = Math.min(widest / width, (2 * widest) / height);
  const readable = Math.min(
    panorama.short / short,
    panorama.long / long,
    Math.sqrt(panorama.area / (short * long)),
  );
  const factor = Math.min(1, Math.max(fitting, readable));
  const scaled = (side: number) => Math.max(1, Math.round(side * factor));
  return { width: scaled(width), height: scaled(height) };
}

/** The widths of the renditions of a photo of this width, including itself. */
export function widthsOf(width: number): number[] {
  return [...steps.filter((step) => step < width), width];
}
