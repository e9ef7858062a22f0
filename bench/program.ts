import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Program, startProgram } from '#testing/servers/program.ts';
import { cores, pin } from './harness.ts';

export interface Running extends Program {
  pid: number;
  dataDir: string;
}

/** The real program on one of the filled databases, pinned to a core; its PostgreSQL is not pinned. */
export async function withProgram<T>(
  databaseUrl: string,
  settings: Record<string, string>,
  use: (program: Running) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'jhalak-bench-'));
  const program = await startProgram({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    MEDIA_PRIORITY: 'low',
    ...settings,
  });
  const { pid } = program.child;
  if (!pid) throw new Error('the program has no process');
  try {
    pin(pid, cores.measured);
    return await use({ ...program, pid, dataDir });
  } finally {
    await program.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
