/** The total that a link hands on to /EarningHistory, shown until the history is loaded (specification §2). */
export interface KnownTotal {
  coins: number;
  rupees: number;
}

/** What navigation state says of the total; undefined where it says nothing that can be shown. */
export function knownTotal(state: unknown): KnownTotal | undefined {
  if (typeof state !== 'object' || state === null) return;
  const { coins, rupees } = state as Record<string, unknown>;
  const known = { coins: Number(coins ?? Number.NaN), rupees: Number(rupees ?? Number.NaN) };
  return Number.isSafeInteger(known.coins) && known.coins >= 0 && Number.isFinite(known.rupees)
    ? known
    : undefined;
}
