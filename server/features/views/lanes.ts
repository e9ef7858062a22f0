import type { Context } from '#server/platform/context.ts';
import { listSpread } from '#server/platform/database/spread.ts';
import { findShards } from '../works/shards.ts';
import { creatorsOf, rememberedCreator } from '../works/works.ts';

/** Lanes of one PostgreSQL. Each has its own reels, whose rows a batch locks most. */
const lanes = 2;
/** After so many milliseconds a process looks again whether `views` is spread: it may be moved while the site runs. */
const lookAgainAfter = 60_000;
/** Creators whose shard a process remembers; the oldest are dropped. One that has changed since makes a batch slower, and nothing else. */
const maxKnown = 100_000;

export type LaneFinder = (reelId: string) => Promise<string>;

/**
 * Returns the lane of a reel; the views of one lane are written together. On one PostgreSQL it follows from the random end of the id. On a cluster it
 * is the shard of the creator's rows, so that a batch writes to one shard of each table, on one node.
 */
export function openLaneFinder({ db }: Context<'db'>): LaneFinder {
  let isSpread = false;
  let lookAt = 0;
  let looking: Promise<void> | undefined;
  /** The shards of creators. */
  const shards = new Map<string, string>();
  let unknown = new Set<string>();
  /** The last look-up of reels, and the one that waits for it. */
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  async function look(): Promise<void> {
    try {
      isSpread = (await listSpread(db)).includes('views');
      lookAt = performance.now() + lookAgainAfter;
    } finally {
      looking = undefined;
    }
  }

  /** Looks up the creators of all reels together that were asked for during the look-up before, and their shards. */
  async function find(before: Promise<void>): Promise<void> {
    await before.catch(() => undefined);
    const reelIds = [...unknown];
    unknown = new Set();
    next = undefined;
    const creators = new Set((await creatorsOf(db, reelIds)).values());
    const creatorIds = [...creators].filter((id) => !shards.has(id));
    if (creatorIds.length === 0) return;
    for (const { creatorId, shard } of await findShards(db, creatorIds)) shards.set(creatorId, shard);
    for (const oldest of shards.keys()) {
      if (shards.size <= maxKnown) break;
      shards.delete(oldest);
    }
  }

  const knownShard = (reelId: string) => shards.get(rememberedCreator(reelId) ?? '');

  async function shardOf(reelId: string): Promise<string | undefined> {
    unknown.add(reelId);
    if (!next) last = next = find(last);
    await next;
    return knownShard(reelId);
  }

  return async (reelId) => {
    if (performance.now() >= lookAt) {
      looking ??= look();
      await looking;
    }
    if (!isSpread) return String((Number.parseInt(reelId.slice(-4), 16) || 0) % lanes);
    return knownShard(reelId) ?? (await shardOf(reelId)) ?? 'no such reel';
  };
}
