import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from '#testing/servers/program.ts';
import { inMilliseconds, inTurns, type Measurement, milliseconds, times } from './harness.ts';

/** A start with existing data, including PostgreSQL, until the first page, against a Node process that does nothing. */
export const startUp: Measurement = {
  name: 'start-up',
  async run(bench) {
    const folder = await mkdtemp(join(tmpdir(), 'jhalak-bench-'));
    try {
      const settings = { DATA_DIR: folder };
      await (await startProgram(settings)).stop();
      const { ours, theirs, ratio } = await inTurns(
        bench.rounds,
        async () => {
          let stop: () => Promise<unknown> = async () => undefined;
          const time = await milliseconds(async () => {
            const program = await startProgram(settings);
            stop = program.stop;
            await (await fetch(program.origin)).text();
          });
          await stop();
          return time;
        },
        () => milliseconds(async () => execFileSync(process.execPath, ['-e', '0'])),
      );
      return [
        {
          what: 'Start to the first page',
          ours: inMilliseconds(ours),
          against: `${inMilliseconds(theirs)}, a bare Node process`,
          ratio: times(ratio),
          reach: '≤ 3 s',
          holds: ours <= 3000,
        },
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
