import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readPostmaster } from '#server/platform/database/postmaster.ts';
import { isProcessAlive } from '#server/platform/process-alive.ts';

const entry = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
const loopbackOnly = new URL('./loopback-only.ts', import.meta.url).href;

export interface Program {
  /** Where it answers. */
  origin: string;
  child: ChildProcess;
  /** What it has said so far. */
  said(): { out: string; err: string };
  /** As Ctrl-C does; waits until it has ended, and returns its exit code. */
  stop(): Promise<number | null>;
  /** As a power cut does. */
  kill(): Promise<void>;
}

/** A data folder of its own, removed together with whatever still runs on it. */
export async function dataFolder() {
  const path = await mkdtemp(join(tmpdir(), 'jhalak-program-'));
  return {
    path,
    async remove() {
      const running = await readPostmaster(join(path, 'postgres'));
      for (let waited = 0; running && isProcessAlive(running.pid) && waited < 10_000; waited += 50)
        await sleep(50);
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Required with DATABASE_URL: keys beside the data. Programs with one database and several data folders name a folder themselves. */
const ownKeys = ({ DATABASE_URL, DATA_DIR }: Record<string, string>) =>
  DATABASE_URL && DATA_DIR ? { KEYS_DIR: join(DATA_DIR, 'keys') } : {};

/** Starts the real program on a free port; settings are environment variables. Undefined output means it ended instead. */
export function launch(
  settings: Record<string, string>,
  { program = entry, ...options }: { uid?: number; gid?: number; program?: string } = {},
) {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: '0',
    JHALAK_DEMO: 'off',
    LOG_LEVEL: 'error',
    ...ownKeys(settings),
    ...settings,
  };
  const child = spawn(process.execPath, ['--import', loopbackOnly, program], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  const said = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    said.err += chunk;
  });
  return { child, said, ended: once(child, 'close').then(([code]) => code as number | null) };
}

/** Starts the real program, or another one that prints where it is ready, and waits until it answers. */
export async function startProgram(settings: Record<string, string>, program = entry): Promise<Program> {
  const { child, said, ended } = launch(settings, { program });
  const ready = new Promise<string>((resolve) => {
    child.stdout?.on('data', () => {
      const origin = /ready (?:for development )?at (\S+)/.exec(said.out)?.[1];
      if (origin) resolve(origin);
    });
  });
  const origin = await Promise.race([ready, ended.then(() => undefined)]);
  if (!origin) throw new Error(`the program ended: ${said.err || said.out}`);
  return {
    origin,
    child,
    said: () => said,
    async stop() {
      child.kill('SIGINT');
      return await ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The processes that this one started, and those that they started. */
export function descendantsOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    rows.filter(([, ppid]) => ppid === parent).flatMap(([child = 0]) => [child, ...below(child)]);
  return below(pid);
}
