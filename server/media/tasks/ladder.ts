import { type Size, scaled } from './video-filters.ts';

export interface Step {
  size: Size;
  /** Maximum bit rate in kilobits a second. */
  kilobits: number;
  /** The file's name in the reel's folder. */
  file: string;
}

/** Short sides of the renditions that are not larger than the video, and their bit rates. */
const sides = [
  { side: 720, kilobits: 3000 },
  { side: 540, kilobits: 1500 },
  { side: 360, kilobits: 750 },
];
/** A rendition that is hardly smaller than the best one is useless. */
const worthwhile = 1.15;

/** The renditions of a video of this size, best first; the best is named `video`. */
export function ladderOf(size: Size, video: string): Step[] {
  const { width, height } = size;
  // A panorama has as many pixels as a picture of 16:9 with a longer short side.
  const short = Math.max(Math.min(width, height), Math.sqrt((width * height * 9) / 16));
  const allowed = sides.findLast(({ side }) => side >= short) ?? sides[0];
  const smaller = sides.filter(({ side }) => side * worthwhile <= short);
  return [
    { size, kilobits: allowed?.kilobits ?? 0, file: video },
    ...smaller.map(({ side, kilobits }) => ({
      size: scaled(size, side / short),
      kilobits,
      file: `${side}.mp4`,
    })),
  ];
}
