import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mostSpare } from '#server/media/children.ts';
import { signUpAt, signUpSeveral } from '#testing/clients/api-client.ts';
import { reelsAt } from '#testing/fixtures/months.ts';
import { databaseOf } from '#testing/fixtures/posts.ts';
import { type Load, startLoad } from '#testing/load/load.ts';
import { deedsOf } from '#testing/load/load-scenarios.ts';
import { expectStorageToAgree } from '#testing/models/ledger-consistency.ts';
import { figure } from '#testing/report-figure.ts';
import { dataFolder, descendantsOf, type Program, startProgram } from '#testing/servers/program.ts';
import { behindOurProxy } from '#testing/servers/proxy.ts';

/*
 * People publish, watch and delete for a while, and afterwards the server has no more open handles, children or unreferenced
 * files than before. `npm run reliability -- hour` does it for an hour (docs/reliability.md), `MINUTES` for another time, and
 * then memory is checked too.
 */
const seconds = process.env.MINUTES ? Number(process.env.MINUTES) * 60 : 6;
/** The first part fills caches and pools, and warms the code up. */
const warmUp = Math.min(180, seconds / 3);

let data: Awaited<ReturnType<typeof dataFolder>>;
let program: Program;
let load: Load;
const seen: string[] = [];
const without: string[] = [];
beforeAll(async () => {
  data = await dataFolder();
  // Renditions of photos, made in the background, would outlast the load.
  program = await startProgram({
    DATA_DIR: data.path,
    ...behindOurProxy,
    BACKGROUND_WORKERS: '0',
    MEDIA_PRIORITY: 'low',
  });
  const maker = await signUpAt(program.origin, 'steady');
  const painter = await signUpAt(program.origin, 'calm');
  const db = await databaseOf(data.path);
  seen.push(...(await reelsAt(db, painter.id, new Date(), 3)));
  without.push(painter.id);
  await db.destroy();
  load = startLoad({
    origin: async () => program.origin,
    creators: [
      maker,
      painter,
      ...(await signUpSeveral(program.origin, 'others', process.env.MINUTES ? 18 : 0)),
    ],
    seen,
    payees: [],
    viewers: 4,
    pause: process.env.MINUTES ? 1000 : 50,
    reelPause: process.env.MINUTES ? 20_000 : 3000,
  });
});
afterAll(async () => {
  await load?.stop().catch(() => undefined);
  await program?.stop();
  await data?.remove();
});

/** What the server holds: resident memory in megabytes, open files and sockets, without children and PostgreSQL. */
async function held() {
  const pid = program.child.pid ?? 0;
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return {
    memory: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
    handles: (await readdir(`/proc/${pid}/fd`)).length,
  };
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

it.runIf(process.platform === 'linux')(
  `${seconds} seconds of mixed load leak nothing`,
  async () => {
    const started = performance.now();
    const at: { second: number; memory: number; handles: number }[] = [];
    while (performance.now() - started < seconds * 1000) {
      await sleep(Math.max(250, seconds * 5));
      at.push({ second: (performance.now() - started) / 1000, ...(await held()) });
    }
    await load.stop();
    const { done, answers } = load;
    const warm = at.filter(({ second }) => second >= warmUp);
    const third = Math.max(1, Math.floor(warm.length / 3));
    const [first, last] = [warm.slice(0, third), warm.slice(-third)];
    const memory = [first, last].map((part) => median(part.map((one) => one.memory)));
    const handles = [first, last].map((part) => median(part.map((one) => one.handles)));
    figure(`mixed load for ${seconds} s, ${warmUp.toFixed(0)} s of it warming up`, {
      ...deedsOf(load),
      'memory, first and last third (MB)': memory.map((value) => value.toFixed(0)).join(' → '),
      'handles, first and last third': handles.join(' → '),
    });
    expect([...answers.keys()]).toEqual([200]);
    const db = await databaseOf(data.path);
    try {
      // The audit would report files without references here, and folders left in the workspaces.
      await expectStorageToAgree(db, data.path, done, { seen, without });
    } finally {
      await db.destroy();
    }
    // Sockets of closed clients are closed after a while.
    expect(handles[1]).toBeLessThan((handles[0] ?? 0) + 40);
    const [before = 0, after = Number.NaN] = memory;
    // A leak does not show in seconds.
    if (process.env.MINUTES) expect(after).toBeLessThan(before * 1.15 + 20);
    // Only media children, of which some wait for a task: PostgreSQL's processes are elsewhere in the process tree.
    const commands = await Promise.all(
      descendantsOf(program.child.pid ?? 0).map((pid) =>
        readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
      ),
    );
    expect(commands.filter((command) => command.includes('media/child')).length).toBeLessThanOrEqual(
      mostSpare,
    );
  },
  300_000 + seconds * 1500,
);
