import type { Pause } from './pause.ts';

/** What the sending of a file is told and tells. */
export interface Transfer {
  signal: AbortSignal;
  pause: Pause;
  /** How many bytes go in one request: so many are acknowledged at a time, and proxies take no more. */
  piece: number;
  onProgress: (sent: number, total: number) => void;
  onWaiting: (waiting: boolean) => void;
  /** Whether it waits until others are through. */
  onQueued: (queued: boolean) => void;
  /** How far it is made smaller, from 0 to 1; undefined where that is over. */
  onShrinking: (share: number | undefined) => void;
  /** Aborted when somebody would have the original sent. */
  asIs: AbortSignal;
}

/** Why it is stopped where the page is left: what has arrived stays, for whoever chooses the same file again. */
export const leaving = new DOMException('The page was left.', 'AbortError');
