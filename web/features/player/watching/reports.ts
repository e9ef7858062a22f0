import { isApiError } from '#contract/api-error.ts';
import { rules } from '#contract/earning-rules.ts';
import { increaseView, reportWatched, type WatchedShowing } from '#contract/reels.ts';
import { call } from '#web/api.ts';
import { viewerId } from './viewer-id.ts';

const batchSize = 20;
const minute = 60_000;
/** For so many milliseconds the lease of a showing is valid. */
const leaseTime = rules.watch.leaseMinutes * minute;

interface Report extends WatchedShowing {
  /** In the time of `performance.now`. */
  validUntil: number;
}

/** Watched showings that the server has not received yet. */
let pending: Report[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** A showing with the lease that the server returned. */
export interface Showing {
  views: number;
  lease: string | null;
  validUntil: number;
}

/** Reports that a reel is shown, and with the same call the showings that were watched before. */
export async function showReel(id: string): Promise<Showing> {
  const validUntil = performance.now() + leaseTime;
  const { views, lease } = await sending((watched) =>
    call(increaseView, { params: { id }, body: { viewer: viewerId(), watched } }),
  );
  return { views, lease, validUntil };
}

/** Queues a watched showing for the next call. */
export function noteWatched({ lease, validUntil }: Showing, seconds: number): void {
  if (!lease) return;
  if (pending.length === 0) document.addEventListener('visibilitychange', onHidden);
  pending.push({ lease, seconds, validUntil });
  // If the person stays with one video, it is reported before its lease expires.
  timer ??= setTimeout(sendReports, leaseTime / 2);
}

/** Sends the queued reports without waiting for the next showing, also while the page is being closed. */
export function sendReports(): void {
  clearTimeout(timer);
  timer = undefined;
  if (pending.length === 0) return;
  sending((watched) => call(reportWatched, { body: { watched } }, { keepalive: true })).catch(
    // Retried with the next call, as long as the leases are valid.
    () => undefined,
  );
}

/** A hidden page may never become visible again. */
function onHidden(): void {
  if (document.visibilityState === 'hidden') sendReports();
}

/** Sends pending reports with a call. If it fails, they stay pending. */
async function sending<R>(run: (watched: WatchedShowing[]) => Promise<R>): Promise<R> {
  const now = performance.now();
  pending = pending.filter(({ validUntil }) => validUntil > now);
  const taken = pending.splice(0, batchSize);
  try {
    return await run(taken.map(({ lease, seconds }) => ({ lease, seconds })));
  } catch (error) {
    const { status } = isApiError(error) ? error : { status: 0 };
    if (status === 0 || status === 429 || status >= 500) pending.unshift(...taken);
    throw error;
  }
}
