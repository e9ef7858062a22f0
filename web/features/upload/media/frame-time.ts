import { limits } from '#contract/limits.ts';

/** The time of the thumbnail's frame: 1 s, or the middle of a shorter video (specification §5). */
export const frameTime = (seconds: number) =>
  seconds > limits.thumbnail.atSecond ? limits.thumbnail.atSecond : seconds / 2;
