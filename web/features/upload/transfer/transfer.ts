import type { Pause } from './pause.ts';

/** How the code that sends a file is controlled, and how it reports. */
export interface Transfer {
  signal: AbortSignal;
  pause: Pause;
  /** Bytes per request: the server acknowledges each chunk, and proxies limit the size of a request. */
  chunkBytes: number;
  onProgress: (sent: number, total: number) => void;
  onWaiting: (waiting: boolean) => void;
  /** Whether the file waits for other files. */
  onQueued: (queued: boolean) => void;
  /** The progress of compressing from 0 to 1; undefined when compressing has ended. */
  onCompressing: (share: number | undefined) => void;
  /** Aborted when the person chooses to send the original. */
  skipCompression: AbortSignal;
}

/** The reason of an abort when the person leaves the page. The server keeps the arrived part, so the upload can be resumed. */
export const pageLeft = new DOMException('The page was left.', 'AbortError');
