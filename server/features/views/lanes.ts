import type { Context } from '#server/platform/context.ts';
import { listSpread } from '#server/platform/database/spread.ts';
import { findShards } from './views.queries.ts';

/** Lanes of one PostgreSQL. Each has its own reels, whose rows a batch locks most. */
const lanes = 2;
/** After so many milliseconds a process looks again whether `views` is spread: it may be moved while the site runs. */
const lookAgainAfter = 60_000;
/** Reels whose shard a process remembers; the oldest are dropped. One that has changed since makes a batch slower, and nothing else. */
const maxKnown = 100_000;

/**
 * Returns the lane of a reel; the views of one lane are written together. On one PostgreSQL it follows from the random end of the id. On a cluster it
 * is the shard of the creator's rows, so that a batch writes to one shard of each table, on one node.
 */
export function openLaneFinder({ db }: Context<'db'>): (reelId: string) => Promise<string> {
  let isSpread = false;
  let lookAt = 0;
  let looking: Promise<void> | undefined;
  const known = new Map<string, string>();
  let unknown = new Set<string>();
  let finding: Promise<void> | undefined;

  async function look(): Promise<void> {
    try {
      isSpread = (await listSpread(db)).includes('views');
      lookAt = performance.now() + lookAgainAfter;
    } finally {
      looking = undefined;
    }
  }

  /** Looks up all reels together that were asked for in the meantime. */
  async function find(): Promise<void> {
    await Promise.resolve();
    const reelIds = [...unknown];
    unknown = new Set();
    finding = undefined;
    for (const { id, shard } of await findShards(db, reelIds)) known.set(id, shard);
    for (const oldest of known.keys()) {
      if (known.size <= maxKnown) break;
      known.delete(oldest);
    }
  }

  async function shardOf(reelId: string): Promise<string | undefined> {
    unknown.add(reelId);
    finding ??= find();
    await finding;
    return known.get(reelId);
  }

  return async (reelId) => {
    if (performance.now() >= lookAt) {
      looking ??= look();
      await looking;
    }
    if (!isSpread) return String((Number.parseInt(reelId.slice(-4), 16) || 0) % lanes);
    return known.get(reelId) ?? (await shardOf(reelId)) ?? 'no such reel';
  };
}
