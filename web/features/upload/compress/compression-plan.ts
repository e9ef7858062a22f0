/** The properties of a video that decide whether compressing it pays off. Width and height are in pixels, after rotation. */
export interface Original {
  bytes: number;
  width: number;
  height: number;
  seconds: number;
  /** Frames per second. */
  rate: number;
}

export interface CompressionPlan {
  width: number;
  height: number;
  /** Bits per second of the video track. */
  bitrate: number;
  /** Frames per second, if the frame rate is to be reduced. */
  rate?: number;
}

/** The server's best rendition has at most 720 × 1280 pixels and 30 frames per second. */
const [maxShortSide, maxLongSide, maxFrameRate] = [720, 1280, 30];
/** The bitrate for the largest size: twice that of the server's best rendition, so that encoding again shows no loss. */
const maxBitrate = 5_000_000;
const minBitrate = 1_000_000;
const audioBitrate = 192_000;
/** A smaller file is uploaded faster than it could be compressed. */
const minBytes = 4 * 1024 * 1024;
/** Compressing must reduce the size to less than this share. */
const maxShare = 0.7;

/** Whether a file is large enough to be compressed. */
export const mayCompress = (bytes: number) => bytes >= minBytes;

/** How to compress a video before the upload; undefined where that would not pay off. */
export function compressionPlan({
  bytes,
  width,
  height,
  seconds,
  rate,
}: Original): CompressionPlan | undefined {
  if (!mayCompress(bytes) || !(seconds > 0) || !(width > 0) || !(height > 0)) return undefined;
  const scale = Math.min(1, maxShortSide / Math.min(width, height), maxLongSide / Math.max(width, height));
  const even = (side: number) => Math.max(2, Math.floor((side * scale) / 2 + 1e-6) * 2);
  const size = { width: even(width), height: even(height) };
  const share = (size.width * size.height) / (maxShortSide * maxLongSide);
  const bitrate = Math.round(Math.max(minBitrate, maxBitrate * share));
  const expected = ((bitrate + audioBitrate) * seconds) / 8;
  if (!isSmaller(bytes, expected)) return undefined;
  // Above 30 frames per second, every second, third, … frame is used, as on the server.
  const every = Math.ceil(rate / (maxFrameRate + 0.5));
  return { ...size, bitrate, ...(every > 1 ? { rate: rate / every } : {}) };
}

/** Whether the result is enough smaller to be worth it. */
export const isSmaller = (before: number, after: number) => after < before * maxShare;
