import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from '#server/platform/startup-error.ts';

/** Maximum time until the program is ready, in milliseconds. */
const readyTimeout = 60_000;

/** A third-party program that runs until it is stopped or killed, or this process ends. */
export interface Guarded {
  /** Id of its process group. */
  pid: number;
  /** Ends it gracefully. */
  stop(): Promise<void>;
  /** Ends it at once, like a power cut. */
  kill(): Promise<void>;
}

/**
 * Starts a program behind a shell that watches a pipe from us, like the embedded database (decision 0002), and
 * waits until `isReady`. Its output goes to `log`. Throws StartupError with the last line of it if the program ends first.
 */
export async function startGuarded(
  name: string,
  command: string[],
  log: string,
  isReady: () => Promise<boolean>,
): Promise<Guarded> {
  const script =
    'exec 3<&0; "$@" & server=$!; (cat <&3 >/dev/null; kill -TERM $server) & watch=$!; wait $server; kill $watch 2>/dev/null';
  const file = openSync(log, 'a', 0o600);
  const child = spawn('sh', ['-c', script, name, ...command], {
    detached: true,
    stdio: ['pipe', file, file],
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  });
  closeSync(file);
  child.stdin?.on('error', () => undefined);
  const until = performance.now() + readyTimeout;
  while (!(await isReady())) {
    const isLate = performance.now() > until;
    if (isLate && !hasEnded(child)) killGroup(child);
    if (isLate || hasEnded(child)) {
      const said = (await readFile(log, 'utf8')).trim().split('\n').at(-1);
      throw new StartupError(`${name} does not start: ${said || 'no reason given'}`);
    }
    await sleep(50);
  }
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.stdin?.end();
      if (!hasEnded(child)) await once(child, 'exit');
    },
    async kill() {
      if (hasEnded(child)) return;
      const ended = once(child, 'exit');
      killGroup(child);
      await ended;
    },
  };
}

/** A child that failed to start has no pid; 0 would be our own group. */
function killGroup({ pid }: ChildProcess): void {
  if (pid) process.kill(-pid, 'SIGKILL');
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;
