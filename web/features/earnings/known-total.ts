/** The total passed by a link to /EarningHistory, shown until the history is loaded (specification §2). */
export interface KnownTotal {
  coins: number;
  rupees: number;
}

/** Reads the total from navigation state; undefined if there is no valid one. */
export function knownTotal(state: unknown): KnownTotal | undefined {
  if (typeof state !== 'object' || state === null) return;
  const { coins, rupees } = state as Record<string, unknown>;
  const known = { coins: Number(coins ?? Number.NaN), rupees: Number(rupees ?? Number.NaN) };
  return Number.isSafeInteger(known.coins) && known.coins >= 0 && Number.isFinite(known.rupees)
    ? known
    : undefined;
}
