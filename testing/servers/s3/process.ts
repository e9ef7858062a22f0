import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { s3SettingsFor } from './server.ts';

const entry = fileURLToPath(new URL('./server.ts', import.meta.url));

export interface S3Process {
  origin: string;
  pid: number | undefined;
  settings: Record<string, string>;
  /** Like a power cut; acknowledged objects are in its folder. */
  kill(): Promise<void>;
}

/** Starts the store in a process of its own, on a free port or the given one. */
export async function startS3Process(folder: string, port = 0): Promise<S3Process> {
  const env = { PATH: process.env.PATH, S3_PORT: String(port), S3_FOLDER: folder };
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let said = '';
  const ready = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const origin = /S3 at (\S+)/.exec(said)?.[1];
      if (origin) resolve(origin);
    });
  });
  const origin = await Promise.race([ready, ended.then(() => undefined)]);
  if (!origin) throw new Error('the store ended before it was ready');
  return {
    origin,
    pid: child.pid,
    settings: s3SettingsFor(origin),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
