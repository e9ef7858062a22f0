import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readPostmaster } from '#server/platform/database/postmaster.ts';
import { signUpAt, signUpSeveral } from '#testing/clients/api-client.ts';
import { reelsAt } from '#testing/fixtures/months.ts';
import { databaseOf } from '#testing/fixtures/posts.ts';
import { type Load, startLoad } from '#testing/load/load.ts';
import { endLoad, payeesIn } from '#testing/load/load-scenarios.ts';
import { expectStorageToAgree } from '#testing/models/ledger-consistency.ts';
import { figure, spread } from '#testing/report-figure.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';
import { behindOurProxy } from '#testing/servers/proxy.ts';

/*
 * The server and its PostgreSQL are killed repeatedly while people publish, watch, withdraw and delete.
 * `npm run reliability -- kill` kills the server 200 times and PostgreSQL 30 times (docs/reliability.md).
 */
const serverKills = Number(process.env.SERVER_KILLS ?? 3);
const postgresKills = Number(process.env.POSTGRES_KILLS ?? 1);
const months = Math.min(24, 2 + Math.floor((serverKills + postgresKills) / 4));

let data: Awaited<ReturnType<typeof dataFolder>>;
/** The running program, or the next one as soon as it runs. */
let running: Promise<Program>;
let load: Load;
const seen: string[] = [];
/** Their reels never had files. */
const without: string[] = [];
const settings = behindOurProxy;

beforeAll(async () => {
  data = await dataFolder();
  running = startProgram({ DATA_DIR: data.path, ...settings });
  const { origin } = await running;
  const maker = await signUpAt(origin, 'maker');
  const painter = await signUpAt(origin, 'painter');
  const payee = await signUpAt(origin, 'payee');
  without.push(painter.id, payee.id);
  const db = await databaseOf(data.path);
  const payees = await payeesIn(db, payee, months);
  seen.push(...(await reelsAt(db, painter.id, new Date(), 3)));
  await db.destroy();
  load = startLoad({
    origin: async () => (await running).origin,
    creators: [maker, painter, ...(await signUpSeveral(origin, 'others', process.env.SERVER_KILLS ? 8 : 0))],
    seen,
    payees,
    viewers: 4,
    pause: 100,
    reelPause: 4000,
  });
}, 300_000);
afterAll(async () => {
  await load?.stop().catch(() => undefined);
  await (await running).stop();
  await data.remove();
});

/** At random times: some kills hit a start, most hit normal work. */
const aWhile = () => sleep(100 + Math.random() * 1500);

it(
  `the server, killed ${serverKills} times under load, restarts by itself`,
  async () => {
    const seconds: number[] = [];
    for (let kill = 0; kill < serverKills; kill += 1) {
      await aWhile();
      const { child, origin } = await running;
      const ended = once(child, 'close');
      const killed = performance.now();
      child.kill('SIGKILL');
      const port = new URL(origin).port;
      running = ended.then(() => startProgram({ DATA_DIR: data.path, PORT: port, ...settings }));
      await running;
      seconds.push((performance.now() - killed) / 1000);
    }
    figure(`server killed ${serverKills} times`, { 'ready again after (s)': spread(seconds) });
  },
  60_000 + serverKills * 60_000,
);

it(
  `PostgreSQL, killed ${postgresKills} times under load, is restarted, and the server recovers soon`,
  async () => {
    const seconds: number[] = [];
    const { origin, child } = await running;
    const isReady = async () => (await fetch(`${origin}/readyz`)).status === 200;
    for (let kill = 0; kill < postgresKills; kill += 1) {
      await aWhile();
      const pid = (await readPostmaster(join(data.path, 'postgres')))?.pid;
      expect(pid).toBeGreaterThan(0);
      const killed = performance.now();
      process.kill(pid ?? 0, 'SIGKILL');
      await expect.poll(isReady, { interval: 10, timeout: 60_000 }).toBe(false);
      await expect.poll(isReady, { interval: 20, timeout: 60_000 }).toBe(true);
      seconds.push((performance.now() - killed) / 1000);
    }
    expect(child.exitCode).toBeNull();
    figure(`PostgreSQL killed ${postgresKills} times`, { 'ready again after (s)': spread(seconds) });
  },
  60_000 + postgresKills * 90_000,
);

it('loses nothing acknowledged, stores nothing twice, and sends no response with a server error', async () => {
  // Requests without a response were cut off by a kill, or answered with a request to retry.
  await endLoad(load, [200, 503, 'cut']);
  const db = await databaseOf(data.path);
  try {
    await expectStorageToAgree(db, data.path, load.done, { seen, without });
  } finally {
    await db.destroy();
  }
}, 300_000);
