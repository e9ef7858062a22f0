import type { FeedReel } from '../feed/feed.ts';

type Watchable = Pick<FeedReel, 'videourl'> & Partial<Pick<FeedReel, 'renditions'>>;

/** Bits a second that are believed in before anything is known: a slow day of 4G. */
export const unmeasured = 2_500_000;
/** A network has to bring this much more than a video takes: it is not always at its best. */
const headroom = 1.5;

/** The room a video is shown in, in the screen's own pixels. */
export interface Room {
  width: number;
  height: number;
  /** It is cut to fill the room; otherwise all of it is seen. */
  filled?: boolean;
}

/** A room of so many CSS pixels on the screen at hand. */
export function roomOf(width: number, height: number, filled = false): Room {
  return { width: width * devicePixelRatio, height: height * devicePixelRatio, filled };
}

/**
 * Where to watch a reel from over a network of so many bits a second: the best that arrives faster than it plays, else
 * the smallest; and none that has more pixels than the smallest that the room cannot show larger than it is. Reels from
 * before there were renditions have one file.
 */
export function videoFor({ renditions = [], videourl }: Watchable, speed: number, room?: Room): string {
  const enough = room ? renditions.findIndex((one) => isEnough(one, room)) : -1;
  const useful = enough < 0 ? renditions : renditions.slice(0, enough + 1);
  const best = useful.findLast(({ bitrate }) => bitrate * headroom <= speed);
  return (best ?? renditions[0])?.url ?? videourl;
}

/** The room has no pixel that the picture has to be stretched for. */
function isEnough(picture: { width: number; height: number }, { width, height, filled }: Room): boolean {
  const wide = picture.width >= width;
  const high = picture.height >= height;
  return filled ? wide && high : wide || high;
}

/** For a small silent picture. */
export function smallestVideo({ renditions = [], videourl }: Watchable): string {
  return renditions[0]?.url ?? videourl;
}

const sides = [360, 540, 720] as const;

/** The rung of the ladder that the file at this address stands on, by its short side; 0 where there is only one file. */
export function rungOf({ renditions = [] }: Watchable, url: string): 0 | (typeof sides)[number] {
  const played = renditions.find((rendition) => rendition.url === url);
  if (!played) return 0;
  return sides.find((side) => side >= Math.min(played.width, played.height)) ?? 720;
}

/** Bits a second of the file at this address; undefined where nobody said. */
export function bitrateOf({ renditions = [] }: Watchable, url: string): number | undefined {
  return renditions.find((rendition) => rendition.url === url)?.bitrate;
}
