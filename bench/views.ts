import type { Kysely } from 'kysely';
import { createViewRecorder, createWatchRecorder } from '#server/features/views/recorder.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextOn } from '#testing/context.ts';
import { watchedFrom } from '#testing/fixtures/watching.ts';
import { type Bench, inTurns, type Measurement, perSecond, type Row, times } from './harness.ts';

/** As many viewers as wait for an answer at once, on either side. */
const viewers = 2000;

/** Lets `viewers` do something over and over for so long; returns how often it was done in a second. */
async function rate(seconds: number, once: (viewer: number) => Promise<unknown>): Promise<number> {
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

/**
 * Showings of these reels, each a viewer's own, two thirds of them watched, written as the site writes them (counters of
 * each showing; event, clock and the creator's month of each that was watched), against nothing but adding one to the
 * reel's row for each; both on disk before they are answered, both on the same connections.
 */
async function against(bench: Bench, db: Kysely<Tables>, what: string, reelIds: string[]): Promise<Row> {
  const record = createViewRecorder(contextOn(db));
  const recordWatched = createWatchRecorder(contextOn(db));
  const address = Buffer.alloc(8);
  let views = 0;
  const reelOf = (viewer: number) => reelIds[viewer % reelIds.length] ?? '';
  const { ours, theirs, ratio } = await inTurns(
    bench.rounds,
    () =>
      rate(bench.seconds, async (viewer) => {
        views += 1;
        const seen = Buffer.alloc(16);
        seen.writeUInt32BE(views);
        const [reelId, at] = [reelOf(viewer), new Date()];
        const isWatched = views % 3 > 0;
        await record({ reelId, viewer: seen, personId: undefined, bot: false, at });
        if (!isWatched) return;
        const issuedAt = new Date(at.getTime() - 5000);
        await recordWatched({ reelId, viewer: seen, signedIn: false, address, issuedAt, at, neededMs: 4000 });
      }),
    () =>
      rate(bench.seconds, (viewer) =>
        db
          .updateTable('reels')
          .set((eb) => ({ views: eb('views', '+', 1) }))
          .where('id', '=', reelOf(viewer))
          .execute(),
      ),
  );
  return {
    what,
    ours: perSecond(ours),
    against: `${perSecond(theirs)}, one-row updates`,
    ratio: times(ratio),
    reach: '≥ 20 ×',
    holds: ratio >= 20,
  };
}

export const views: Measurement = {
  name: 'views',
  async run(bench) {
    const copy = await (await bench.filled()).copy();
    const db = await openDatabase(copy.url);
    try {
      await watchedFrom(db, '0000-01');
      const reels = await db
        .selectFrom('reels')
        .select('id')
        .orderBy('published_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1000)
        .execute();
      const ids = reels.map(({ id }) => id);
      return [
        await against(bench, db, 'Views of the one reel that everybody watches', ids.slice(0, 1)),
        await against(bench, db, 'Views spread over 1,000 reels', ids),
      ];
    } finally {
      await db.destroy();
      await copy.drop();
    }
  },
};
