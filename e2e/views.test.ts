import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditLedger } from '#server/features/earnings/audit.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextOn } from '#testing/context.ts';
import { personIn, publishedReel } from '#testing/fixtures/earnings.ts';
import { databaseOf } from '#testing/fixtures/posts.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';
import { behindOurProxy } from '#testing/servers/proxy.ts';
import { browser } from '#testing/servers/test-server.ts';

/*
 * Views that pay, through kills: every viewer asks until the server has accepted, and in the end exactly as many views
 * pay as there are viewers. `VIEWS=200000` sends more of them (CONTRIBUTING.md).
 */
const views = Number(process.env.VIEWS ?? 4000);
const atOnce = 200;
const kills = 5;
const timeZone = 'Asia/Kolkata';

let data: Awaited<ReturnType<typeof dataFolder>>;
/** The program that runs, or the next one, once it does. */
let running: Promise<Program>;
beforeAll(async () => {
  data = await dataFolder();
  running = startProgram({ DATA_DIR: data.path, ...behindOurProxy });
  await running;
});
afterAll(async () => {
  await (await running).stop();
  await data.remove();
});

function killAndStart({ child, origin }: Program): void {
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  const settings = { DATA_DIR: data.path, ...behindOurProxy, PORT: new URL(origin).port };
  running = ended.then(() => startProgram(settings));
}

it(
  `${views} views, ${atOnce} at a time, the server killed ${kills} times: as many pay as were accepted`,
  async () => {
    const db = await databaseOf(data.path);
    const now = new Date();
    const creatorId = await personIn(db, now);
    const reelId = await publishedReel(db, creatorId, now, timeZone);
    await db.destroy();

    const counted = { accepted: 0, failed: 0, killed: 0 };
    let next = 0;
    const accepted = async (viewer: number): Promise<boolean> => {
      const { origin } = await running;
      try {
        const response = await fetch(`${origin}/api/reel/increaseView/${reelId}`, {
          method: 'POST',
          headers: { 'user-agent': browser, 'x-forwarded-for': addressOf(viewer) },
        });
        await response.arrayBuffer();
        return response.ok;
      } catch {
        counted.failed += 1;
        return false;
      }
    };
    const sender = async () => {
      for (let viewer = next++; viewer < views; viewer = next++) {
        let done = false;
        while (!done) done = await accepted(viewer);
        counted.accepted += 1;
        if (counted.accepted >= ((counted.killed + 1) * views) / (kills + 1) && counted.killed < kills) {
          counted.killed += 1;
          killAndStart(await running);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sender));
    expect(counted).toMatchObject({ accepted: views, killed: kills });
    // The kills did hurt: some calls were cut off and made again.
    expect(counted.failed).toBeGreaterThan(0);

    const after = await databaseOf(data.path);
    try {
      const events = (verdict?: Tables['view_events']['verdict']) =>
        after
          .selectFrom('view_events')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .$if(verdict !== undefined, (query) => query.where('verdict', '=', verdict ?? 'counted'))
          .executeTakeFirstOrThrow();
      const month = await after
        .selectFrom('creator_months')
        .select((eb) => eb.fn.sum<string>('views').as('views'))
        .where('creator_id', '=', creatorId)
        .executeTakeFirstOrThrow();
      const reel = await after
        .selectFrom('reels')
        .select('views')
        .where('id', '=', reelId)
        .executeTakeFirstOrThrow();
      expect(Number(month.views)).toBe(views);
      expect((await events('counted')).count).toBe(views);
      // What was written and not answered was sent again: displayed, kept as repeated, not paid.
      expect(reel.views).toBe((await events()).count);
      expect((await auditLedger(contextOn(after))).differences).toEqual([]);
    } finally {
      await after.destroy();
    }
  },
  120_000 + views * 10,
);

/** Another address for each viewer. */
function addressOf(viewer: number): string {
  return `10.${viewer >> 16}.${(viewer >> 8) & 255}.${viewer & 255}`;
}
