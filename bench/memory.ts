import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '#server/platform/database/database.ts';
import { type Measurement, megabytes, times } from './harness.ts';
import { askOften } from './load.ts';
import { withProgram } from './program.ts';

/** Resident memory of a process, in bytes. */
function residentBytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

async function bareNode(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log("up")']);
  await once(child.stdout, 'data');
  await sleep(500);
  const bytes = residentBytes(child.pid ?? 0);
  child.kill();
  return bytes;
}

/** Memory of the server after its start, and after many requests of all the kinds that visitors make. */
export const memory: Measurement = {
  name: 'memory',
  async run(bench) {
    const filled = await bench.filled();
    const db = await openDatabase(filled.url('large'), 1);
    const reels = await db.selectFrom('reels').select(['id', 'creator_id']).limit(500).execute();
    await db.destroy();
    const paths = reels.flatMap(({ id, creator_id }) => [
      '/',
      '/api/reel/getallReels?limit=24',
      `/api/reel/getReel/${id}`,
      `/api/getuser/${creator_id}`,
      '/api/getallUser?limit=24',
      '/api/count/getCategoryCounts',
      '/ShowPosts',
      '/healthz',
    ]);
    const bare = await bareNode();
    return await withProgram(filled.url('large'), {}, async ({ origin, pid }) => {
      const ask = (requests: number) =>
        askOften({ url: origin, paths, headers: { 'accept-encoding': 'gzip, deflate, br' }, requests });
      const rest = residentBytes(pid);
      await ask(Math.ceil(bench.requests / 10));
      const tenth = residentBytes(pid);
      await ask(bench.requests);
      const after = residentBytes(pid);
      return [
        {
          what: 'Memory at rest',
          ours: megabytes(rest),
          against: `${megabytes(bare)}, a bare Node process`,
          ratio: times(rest / bare),
          reach: '',
        },
        {
          what: `Memory after ${bench.requests.toLocaleString('en')} requests`,
          ours: megabytes(after),
          against: `${megabytes(tenth)} after a tenth of them`,
          ratio: times(after / tenth),
          reach: '',
        },
      ];
    });
  },
};
