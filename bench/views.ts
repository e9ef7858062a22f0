import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { rules } from '#contract/earning-rules.ts';
import { openLeases } from '#server/features/views/lease.ts';
import { createViewRecorder, createWatchRecorder } from '#server/features/views/recorder.ts';
import { neededFor } from '#server/features/views/watched.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextOn } from '#testing/context.ts';
import {
  type Bench,
  type Compared,
  inTurns,
  type Measurement,
  perSecond,
  type Row,
  times,
} from './harness.ts';

/** The number of viewers that wait for a response at the same time, on either side. */
const viewers = 2000;

/** Lets `viewers` repeat an action for this many seconds; returns the rate per second. */
export async function rate(seconds: number, once: (viewer: number) => Promise<unknown>): Promise<number> {
  const start = performance.now();
  const end = start + seconds * 1000;
  let done = 0;
  await Promise.all(
    Array.from({ length: viewers }, async (_, viewer) => {
      while (performance.now() < end) {
        await once(viewer);
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - start) / 1000);
}

/** Shows a reel to a new viewer in the player with this number; resolves when it is on disk. */
type Show = (reelId: string, player: number) => Promise<unknown>;

/** Ids of the 1,000 newest reels. */
export async function newestReels(db: Kysely<Tables>): Promise<string[]> {
  const reels = await db
    .selectFrom('reels')
    .select('id')
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1000)
    .execute();
  return reels.map(({ id }) => id);
}

/**
 * Showings as the site stores them. Each raises counters and returns a signed lease. Two thirds are reported with the
 * player's next call, in parallel with its showing: lease, event, clock and the creator's month, while the month is cached.
 */
export function withLeases(db: Kysely<Tables>): Show {
  const record = createViewRecorder(contextOn(db));
  const recordWatched = createWatchRecorder(contextOn(db));
  const leases = openLeases(randomBytes(32));
  const viewer = newViewers();
  const toWatchMs = rules.watch.seconds * 1000;
  const held = new Map<number, string>();
  let showings = 0;
  async function report(text: string | undefined, at: Date): Promise<void> {
    if (text === undefined) return;
    const lease = leases.read(text);
    if (!lease) throw new Error('a lease was not read');
    const one = { ...lease, signedIn: false, at, neededMs: neededFor(lease.toWatchMs) };
    if (!(await recordWatched(one))) throw new Error('a watched view did not count');
  }
  return async (reelId, player) => {
    showings += 1;
    const isWatched = showings % 3 > 0;
    const [seen, at] = [viewer(), new Date()];
    const before = held.get(player);
    held.delete(player);
    const showing = { reelId, viewer: seen, personId: undefined, address };
    await Promise.all([record({ reelId, personId: undefined, bot: false, at }), report(before, at)]);
    const issuedAt = new Date(at.getTime() - toWatchMs);
    const lease = leases.issue({ ...showing, browser: undefined, issuedAt, toWatchMs });
    if (isWatched) held.set(player, lease);
  };
}

const address = Buffer.alloc(8);

function newViewers(): () => Buffer {
  let made = 0;
  // Others than those of a measurement before, whose views would be repeated ones.
  const end = randomBytes(12);
  return () => {
    made += 1;
    const viewer = Buffer.concat([Buffer.alloc(4), end]);
    viewer.writeUInt32BE(made);
    return viewer;
  };
}

const addOne =
  (db: Kysely<Tables>): Show =>
  (reelId) =>
    db
      .updateTable('reels')
      .set((eb) => ({ views: eb('views', '+', 1) }))
      .where('id', '=', reelId)
      .execute();

/** Compares two ways to show reels, in turns, each with its own connections. */
async function compare(
  bench: Bench,
  reelIds: readonly string[],
  { ours, theirs }: { ours: Show; theirs: Show },
) {
  const reelOf = (viewer: number) => reelIds[viewer % reelIds.length] ?? '';
  const shown = (show: Show) => () => rate(bench.seconds, (player) => show(reelOf(player), player));
  return await inTurns(bench.rounds, shown(ours), shown(theirs));
}

export const views: Measurement = {
  name: 'views',
  async run(bench) {
    const filled = await bench.filled();
    const copy = await filled.copy();
    const db = await openDatabase(copy.url);
    try {
      const ids = await newestReels(db);
      const ours = withLeases(db);
      const rows: Row[] = [];
      for (const [what, of] of [
        ['Views of a single reel', ids.slice(0, 1)],
        ['Views spread over 1,000 reels', ids],
      ] as const) {
        const single = await compare(bench, of, { ours, theirs: addOne(db) });
        rows.push(rowOf(what, single, 'one-row updates', 20));
      }
      return rows;
    } finally {
      await db.destroy();
      await copy.drop();
    }
  },
};

function rowOf(what: string, { ours, theirs, ratio }: Compared, against: string, reach: number): Row {
  return {
    what,
    ours: perSecond(ours),
    against: `${perSecond(theirs)}, ${against}`,
    ratio: times(ratio),
    reach: `≥ ${reach} ×`,
    holds: ratio >= reach,
  };
}
