import { limits } from '#contract/limits.ts';

/** When the frame for a thumbnail is: at 1 s, or in the middle of what is shorter (specification §5). */
export const frameTime = (seconds: number) =>
  seconds > limits.thumbnail.atSecond ? limits.thumbnail.atSecond : seconds / 2;
