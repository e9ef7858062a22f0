import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runAdmin } from '#server/admin/run.ts';

const entry = fileURLToPath(new URL('../../server/admin/main.ts', import.meta.url));

function environmentOf(settings: Record<string, string>) {
  const { PATH, HOME } = process.env;
  // Required with DATABASE_URL: the folder of the site's keys, for commands that use keys.
  const keys = settings.DATABASE_URL ? { KEYS_DIR: join(settings.DATA_DIR ?? tmpdir(), 'keys') } : {};
  return { PATH, HOME, ...keys, ...settings };
}

/** Runs the operators' command line in this process, which starts no other one; returns its output as `out` and `err`. */
export async function adminHere(settings: Record<string, string>, words: string[]) {
  const said = { out: '', err: '' };
  const code = await runAdmin(words, {
    env: environmentOf(settings),
    async write(text) {
      said.out += text;
    },
    async complain(text) {
      said.err += text;
    },
  });
  return { code, ...said };
}

/** Starts the same in a process of its own, as an operator does it; `done` resolves when it has ended. */
export function startAdmin(settings: Record<string, string>, words: string[]) {
  const env = environmentOf(settings);
  const child = spawn(process.execPath, [entry, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.err += chunk;
  });
  const done = once(child, 'close').then(([code]) => ({ code: code as number, ...said }));
  return { child, done };
}

export const adminOn = (settings: Record<string, string>, words: string[]) =>
  startAdmin(settings, words).done;
