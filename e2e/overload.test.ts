import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeCursor } from '#server/platform/cursor.ts';
import { newId } from '#server/platform/ids.ts';
import { figure } from '#testing/report-figure.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';

/*
 * Ten times as many clients send requests at once as the server can work on: it sheds those that it could not answer in time,
 * answers the others as fast as before, and grows no larger. Each request is for a page of its own, so that each is rendered.
 * `npm run reliability -- overload` does it for longer and checks its targets (docs/reliability.md).
 */
const seconds = Number(process.env.OVERLOAD_SECONDS ?? 2);
const isMeasured = process.env.OVERLOAD_SECONDS !== undefined;
const atOnce = 16;

let data: Awaited<ReturnType<typeof dataFolder>>;
let program: Program;
beforeAll(async () => {
  data = await dataFolder();
  program = await startProgram({
    DATA_DIR: data.path,
    MAX_CONCURRENT_REQUESTS: String(atOnce),
    MEDIA_PRIORITY: 'low',
  });
});
afterAll(async () => {
  await program?.stop();
  await data?.remove();
});

interface Answered {
  good: number;
  turnedAway: number;
  /** Number of shed requests without a `Retry-After` header. */
  unsaid: number;
  others: number[];
  failed: number;
  slowest: number;
}

let pages = 0;

/** This many clients, each sending the next request as soon as it is answered, whatever the answer. */
async function ask(clients: number, forSeconds: number): Promise<Answered> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const found: Answered = { good: 0, turnedAway: 0, unsaid: 0, others: [], failed: 0, slowest: 0 };
  const until = performance.now() + forSeconds * 1000;
  const one = () =>
    new Promise<void>((resolve) => {
      pages += 1;
      const started = performance.now();
      // A page of the user list with a cursor that was never used: it is not cached.
      const cursor = writeCursor({ at: new Date(Date.now() + pages), id: newId(new Date()) });
      const asking = request(`${program.origin}/AllUsers?cursor=${cursor}`, { agent }, (answer) => {
        answer.resume();
        answer.on('end', () => {
          found.slowest = Math.max(found.slowest, performance.now() - started);
          const status = answer.statusCode ?? 0;
          if (status === 200) found.good += 1;
          else if (status === 503 || status === 429) {
            found.turnedAway += 1;
            if (!(Number(answer.headers['retry-after']) > 0)) found.unsaid += 1;
          } else found.others.push(status);
          resolve();
        });
      });
      asking.on('error', () => {
        found.failed += 1;
        resolve();
      });
      asking.end();
    });
  const client = async () => {
    while (performance.now() < until) await one();
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  return found;
}

/** Of the server, in megabytes. */
async function memory(): Promise<number> {
  const status = await readFile(`/proc/${program.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

it.runIf(process.platform === 'linux')(
  'under ten times the load it sheds the excess and keeps its throughput',
  async () => {
    await ask(atOnce, seconds);
    const best = await ask(atOnce, seconds);
    const before = await memory();
    // Ten times as many as it answers in the second that requests wait at most.
    const crowd = Math.min(4000, Math.max(10 * atOnce, Math.ceil((10 * best.good) / seconds)));
    let most = 0;
    let over = false;
    const watching = (async () => {
      while (!over) {
        most = Math.max(most, await memory());
        await sleep(100);
      }
    })();
    const asked = performance.now();
    const health = sleep(seconds * 500).then(() => fetch(`${program.origin}/healthz`));
    const crowded = await ask(crowd, seconds * 2);
    const took = (performance.now() - asked) / 1000;
    over = true;
    await watching;

    const kept = crowded.good / took / (best.good / seconds);
    figure(`overload: ${crowd} clients at once instead of ${atOnce}`, {
      'pages a second at best': best.good / seconds,
      'pages a second when crowded': crowded.good / took,
      'kept (%)': kept * 100,
      'turned away': crowded.turnedAway,
      'slowest answer (s)': crowded.slowest / 1000,
      'memory before (MB)': before,
      'memory at most (MB)': most,
    });
    expect((await health).status).toBe(200);
    expect(crowded).toMatchObject({ failed: 0, others: [], unsaid: 0 });
    expect(crowded.turnedAway).toBeGreaterThan(0);
    expect(crowded.good).toBeGreaterThan(0);
    expect(most).toBeLessThan(before + 400);
    if (isMeasured) expect(kept).toBeGreaterThanOrEqual(0.8);
    // Nothing of the overload remains.
    expect((await ask(1, 0.2)).turnedAway).toBe(0);
  },
  180_000 + seconds * 20_000,
);
