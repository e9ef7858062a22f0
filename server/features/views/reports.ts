import { rules } from '#contract/earning-rules.ts';
import type { WatchedShowing } from '#contract/reels.ts';
import type { Lease, openLeases } from './lease.ts';
import { type Secret, viewerOfPerson } from './viewers.ts';
import { neededFor, type WatchedReel } from './watched.ts';

interface ReportServices {
  leases: Pick<ReturnType<typeof openLeases>, 'read'>;
  /** The secrets for hashing viewers. */
  secret: Secret;
}

/**
 * Removes from a player's report what the leases and the server's clock contradict. The viewer is the one of the lease. The earliest
 * showing comes first, because the time of a viewer is assigned in this order.
 */
export function readReports(
  { leases, secret }: ReportServices,
  watched: readonly WatchedShowing[],
  at: Date,
): WatchedReel[] {
  return watched
    .flatMap(({ lease: text, seconds }) => {
      const lease = leases.read(text);
      return lease && seconds * 1000 >= lease.toWatchMs ? reportOf(lease) : [];
    })
    .sort((reel, other) => reel.issuedAt.getTime() - other.issuedAt.getTime());

  function reportOf({ personId, toWatchMs, ...showing }: Lease): WatchedReel[] {
    const passed = at.getTime() - showing.issuedAt.getTime();
    const neededMs = neededFor(toWatchMs);
    if (passed < neededMs || passed > rules.watch.leaseMinutes * 60_000) return [];
    const viewer = personId === undefined ? showing.viewer : viewerOfPerson(secret, personId);
    return [{ ...showing, viewer, signedIn: personId !== undefined, personId, at, neededMs }];
  }
}
