import type { FeedReel } from '../feed/feed.ts';

type Watchable = Pick<FeedReel, 'videourl'> & Partial<Pick<FeedReel, 'renditions'>>;

/** The assumed bits per second before any measurement: a slow 4G connection. */
export const unmeasured = 2_500_000;
/** The network must be faster than the video's bitrate by this factor, because its speed varies. */
const headroom = 1.5;

/** The area that shows a video, in device pixels. */
export interface Room {
  width: number;
  height: number;
  /** The video is cropped to fill the area; otherwise it is shown completely. */
  filled?: boolean;
}

/** Converts CSS pixels into device pixels. */
export function roomOf(width: number, height: number, filled = false): Room {
  return { width: width * devicePixelRatio, height: height * devicePixelRatio, filled };
}

/**
 * The URL of the best rendition that loads faster than it plays, or of the smallest. Renditions with more pixels than the area
 * needs are left out. Old reels have a single file.
 */
export function videoFor({ renditions = [], videourl }: Watchable, speed: number, room?: Room): string {
  const enough = room ? renditions.findIndex((one) => isEnough(one, room)) : -1;
  const useful = enough < 0 ? renditions : renditions.slice(0, enough + 1);
  const best = useful.findLast(({ bitrate }) => bitrate * headroom <= speed);
  return (best ?? renditions[0])?.url ?? videourl;
}

/** Whether the rendition has enough pixels to fill the area without upscaling. */
function isEnough(picture: { width: number; height: number }, { width, height, filled }: Room): boolean {
  const wide = picture.width >= width;
  const high = picture.height >= height;
  return filled ? wide && high : wide || high;
}

/** The smallest rendition, for previews. */
export function smallestVideo({ renditions = [], videourl }: Watchable): string {
  return renditions[0]?.url ?? videourl;
}

const sides = [360, 540, 720] as const;

/** The short side of the rendition with this URL; 0 for a reel with a single file. */
export function rungOf({ renditions = [] }: Watchable, url: string): 0 | (typeof sides)[number] {
  const played = renditions.find((rendition) => rendition.url === url);
  if (!played) return 0;
  return sides.find((side) => side >= Math.min(played.width, played.height)) ?? 720;
}

/** Bits per second of the file with this URL; undefined if unknown. */
export function bitrateOf({ renditions = [] }: Watchable, url: string): number | undefined {
  return renditions.find((rendition) => rendition.url === url)?.bitrate;
}
