import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { isDatabaseUnavailable } from '#server/platform/database/availability.ts';
import { retryOnConflict } from '#server/platform/database/conflicts.ts';
import { migrate, openDatabase } from '#server/platform/database/database.ts';
import { distribute, type Moved, undistribute } from '#server/platform/database/spread.ts';
import { fillDatabase } from './filling.ts';
import { newestReels, withLeases } from './views.ts';

/*
 * `node bench/moving.ts <address> [--views 1000000]`: how long `distribute` and `undistribute` take on the coordinator at this address, whose database is
 * filled first if it has no people, and how long the answers to views take meanwhile (docs/scaling.md).
 */
const { values, positionals } = parseArgs({
  options: { views: { type: 'string', default: '1000000' } },
  allowPositionals: true,
});
const [url = ''] = positionals;
const db = await openDatabase(url, 3);
await migrate(db);
const reelCount = 1000;
if (!(await db.selectFrom('people').select('id').limit(1).executeTakeFirst())) {
  await fillDatabase(url, { reels: 10_000, people: 1_000 }, '');
  await sql`
    insert into views (creator_id, day, reel_id, viewer, signed_in, network, shown_at, watched_at, verdict)
    select creator_id, '2026-10-10', id, decode(md5(id::text || n), 'hex'), n % 10 = 0, '\\x0000000000000000', '2026-10-10', '2026-10-10', 'counted'
    from (select creator_id, id from reels order by published_at desc limit ${reelCount}) reels,
      generate_series(1, ${Math.round(Number(values.views) / reelCount)}::int) n`.execute(db);
  await sql`
    insert into creator_viewers (creator_id, month, viewer)
    select creator_id, '2026-10', viewer from views where signed_in`.execute(db);
  await sql`vacuum analyze views, creator_viewers`.execute(db);
}

const site = await openDatabase(url);
const reels = await newestReels(site);
const show = withLeases(site);

/** Moves all tables while four people watch, who each wait for their answer and ask again at once if it is that the database is not available. */
async function measure(what: string, run: () => Promise<Moved[]>): Promise<void> {
  let isOver = false;
  const times: number[] = [];
  const reads: number[] = [];
  const refused: number[] = [];
  const visitors = Array.from({ length: 4 }, async (_, player) => {
    for (let number = player; !isOver; number += 4) {
      const began = performance.now();
      const into = await retryOnConflict(() => show(reels[number % reels.length] ?? '', player)).then(
        () => times,
        (error) => {
          if (!isDatabaseUnavailable(error)) throw error;
          return refused;
        },
      );
      into.push((performance.now() - began) / 1000);
      if (into === refused) await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  const reader = async () => {
    while (!isOver) {
      const began = performance.now();
      await sql`select sum(views) from reel_days where creator_id = (select creator_id from reels limit 1)`.execute(
        site,
      );
      reads.push((performance.now() - began) / 1000);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const all = Promise.all([...visitors, reader()]);
  const moved = await run();
  isOver = true;
  await all;
  const seconds = (all: readonly number[]) => `${all.length}, ${Math.max(0, ...all).toFixed(2)} s at most`;
  process.stdout.write(
    `${what}\n${moved.map(({ table, seconds, waited }) => `  ${table}: ${seconds.toFixed(1)} s, of which writers were kept out for ${waited.toFixed(2)} s`).join('\n')}
answered: ${seconds(times)}; refused: ${seconds(refused)}; reads: ${seconds(reads)}\n`,
  );
}

await measure('distribute', () => distribute(db));
await measure('undistribute', () => undistribute(db));
await site.destroy();
await db.destroy();
