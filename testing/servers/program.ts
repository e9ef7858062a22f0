import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readPostmaster } from '#server/platform/database/postmaster.ts';
import { isProcessAlive } from '#server/platform/process-alive.ts';

const entry = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
/** `nodeOptions`: those of `npm start`. */
const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const nodeOptions: string[] = scripts.start.match(/--\S+/g) ?? [];
const imports = ['./loopback-only.ts', './end-with-parent.ts'].flatMap((module) => [
  '--import',
  new URL(module, import.meta.url).href,
]);

export interface Program {
  /** Its origin. */
  origin: string;
  child: ChildProcess;
  /** Its output so far. */
  said(): { out: string; err: string };
  /** Like Ctrl-C; waits until it has ended, and returns its exit code. */
  stop(): Promise<number | null>;
  /** Like a power cut. */
  kill(): Promise<void>;
}

/** A new data folder, removed together with the processes that still use it. */
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

/** Required with DATABASE_URL: keys beside the data. Programs with one database and several data folders set a folder themselves. */
const ownKeys = ({ DATABASE_URL, DATA_DIR }: Record<string, string>) =>
  DATABASE_URL && DATA_DIR ? { KEYS_DIR: join(DATA_DIR, 'keys') } : {};

/** Starts the real program on a free port; settings are environment variables. */
export function launch(
  settings: Record<string, string>,
  { program = entry, ...options }: { uid?: number; gid?: number; program?: string } = {},
) {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    STARTED_BY: String(process.pid),
    PORT: '0',
    JHALAK_DEMO: 'off',
    LOG_LEVEL: 'error',
    // Other tests keep the machine busy, and media tasks must end in time.
    MEDIA_PRIORITY: 'normal',
    ...ownKeys(settings),
    ...settings,
  };
  const child = spawn(process.execPath, [...nodeOptions, ...imports, program], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
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

/** Starts the real program, or another one that prints its origin, and waits until it responds. */
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

/** The child processes of this one, and their children. */
export function descendantsOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    rows.filter(([, ppid]) => ppid === parent).flatMap(([child = 0]) => [child, ...below(child)]);
  return below(pid);
}
