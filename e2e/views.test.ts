import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditLedger } from '#server/features/earnings/audit.ts';
import { contextOn } from '#testing/context.ts';
import { personIn, publishedReel } from '#testing/fixtures/earnings.ts';
import { databaseOf } from '#testing/fixtures/posts.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';
import { behindOurProxy } from '#testing/servers/proxy.ts';
import { browser } from '#testing/servers/test-server.ts';
import { howMany, isWhole } from '#testing/share.ts';

/*
 * Paid views despite kills: every viewer repeats both calls until the server has accepted them, that the reel was shown and that it
 * was watched, and in the end there are exactly as many paid views as viewers. `VIEWS=200000` makes more of them (CONTRIBUTING.md).
 */
const views = howMany('VIEWS', { share: 240, whole: 4000 });
const atOnce = 80;
const kills = isWhole ? 5 : 2;
const timeZone = 'Asia/Kolkata';

let data: Awaited<ReturnType<typeof dataFolder>>;
/** The running program, or the next one as soon as it runs. */
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
  `${views} views, ${atOnce} at a time, the server killed ${kills} times: exactly the accepted views pay`,
  async () => {
    const db = await databaseOf(data.path);
    const now = new Date();
    const creatorId = await personIn(db, now);
    const reelId = await publishedReel(db, creatorId, now, timeZone);
    await db.destroy();

    const counted = { accepted: 0, failed: 0, killed: 0 };
    let next = 0;
    /** Repeats a call until the server has accepted it. */
    const accepted = async (path: string, body: object, viewer: number): Promise<{ lease?: string }> => {
      let refused: string | undefined;
      for (;;) {
        const { origin } = await running;
        try {
          const response = await fetch(`${origin}${path}`, {
            method: 'POST',
            headers: {
              'user-agent': browser,
              'x-forwarded-for': addressOf(viewer),
              'content-type': 'application/json',
            },
            body: JSON.stringify(body),
          });
          const answer = await response.json();
          if (response.ok) return answer;
          refused = response.status < 500 ? JSON.stringify(answer) : undefined;
        } catch {
          counted.failed += 1;
        }
        if (refused) throw new Error(refused);
      }
    };
    const sender = async () => {
      for (let viewer = next++; viewer < views; viewer = next++) {
        const { lease } = await accepted(`/api/reel/increaseView/${reelId}`, {}, viewer);
        // The reel lasts a second, of which the server requires 0.72 to pass.
        await sleep(800);
        await accepted('/api/reel/watched', { watched: [{ lease, seconds: 1 }] }, viewer);
        counted.accepted += 1;
        if (counted.accepted >= ((counted.killed + 1) * views) / (kills + 1) && counted.killed < kills) {
          counted.killed += 1;
          killAndStart(await running);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sender));
    expect(counted).toMatchObject({ accepted: views, killed: kills });
    // The kills had an effect: some calls were cut off and repeated.
    expect(counted.failed).toBeGreaterThan(0);

    const after = await databaseOf(data.path);
    try {
      const watched = await after
        .selectFrom('views')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('creator_id', '=', creatorId)
        .executeTakeFirstOrThrow();
      const shown = await after
        .selectFrom('reel_days')
        .select('views')
        .where('reel_id', '=', reelId)
        .where('verdict', '=', 'shown')
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
      expect(watched.count).toBe(views);
      // A showing that was stored but not answered was sent again: displayed twice, and paid once.
      expect(reel.views).toBe(shown.views);
      expect(reel.views).toBeGreaterThanOrEqual(views);
      expect((await auditLedger(contextOn(after))).differences).toEqual([]);
    } finally {
      await after.destroy();
    }
  },
  // Each viewer makes two calls, and waits between them.
  180_000 + views * 20,
);

/** Another address for each viewer. */
function addressOf(viewer: number): string {
  return `10.${viewer >> 16}.${(viewer >> 8) & 255}.${viewer & 255}`;
}
