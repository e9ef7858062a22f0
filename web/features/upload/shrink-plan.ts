/** What of a video decides whether it is worth making smaller. Sizes as shown, in pixels. */
export interface Original {
  bytes: number;
  width: number;
  height: number;
  seconds: number;
  /** Pictures a second. */
  rate: number;
}

export interface Plan {
  width: number;
  height: number;
  /** Bits a second for the picture. */
  bitrate: number;
  /** Pictures a second, where there are to be fewer than there are. */
  rate?: number;
}

/** Of the best that the server makes of any video: within 720 × 1280, 30 pictures a second. */
const [shortest, longest, fastest] = [720, 1280, 30];
/** For the largest picture: twice what the server's best takes, so that encoding it again shows no loss. */
const mostBits = 5_000_000;
const leastBits = 1_000_000;
const soundBits = 192_000;
/** What is smaller than this is sent before it would be made smaller. */
const worthwhileBytes = 4 * 1024 * 1024;
/** At least so much smaller it must become. */
const worthwhileShare = 0.7;

/** Whether a file is large enough to look whether it can be made smaller. */
export const mayShrink = (bytes: number) => bytes >= worthwhileBytes;

/** How to make a video smaller before it is sent; undefined where that is not worth the while. */
export function shrinkPlan({ bytes, width, height, seconds, rate }: Original): Plan | undefined {
  if (!mayShrink(bytes) || !(seconds > 0) || !(width > 0) || !(height > 0)) return undefined;
  const scale = Math.min(1, shortest / Math.min(width, height), longest / Math.max(width, height));
  const even = (side: number) => Math.max(2, Math.floor((side * scale) / 2 + 1e-6) * 2);
  const size = { width: even(width), height: even(height) };
  const share = (size.width * size.height) / (shortest * longest);
  const bitrate = Math.round(Math.max(leastBits, mostBits * share));
  const expected = ((bitrate + soundBits) * seconds) / 8;
  if (!isSmaller(bytes, expected)) return undefined;
  // Every second, third, … picture of a faster one, as the server takes them.
  const every = Math.ceil(rate / (fastest + 0.5));
  return { ...size, bitrate, ...(every > 1 ? { rate: rate / every } : {}) };
}

/** Whether it was worth it. */
export const isSmaller = (before: number, after: number) => after < before * worthwhileShare;
