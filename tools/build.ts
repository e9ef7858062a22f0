import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { renderPictures } from './pictures.ts';

/*
 * Builds the site if its inputs have changed since the last build. Run before `start` and `test`.
 * The stamp is written last, so an interrupted build is repeated; a lock lets one of several runs build
 * while the others wait for it.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const build = join(root, 'build');
const stamp = join(build, 'sources.sha256');
// Outside of `build`, which a build empties first.
const lock = join(root, '.react-router', 'building.pid');
const sources = [
  'web',
  'contract',
  'tools',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'vite.config.ts',
  'react-router.config.ts',
];

function filesUnder(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}

function fingerprint(): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of sources.flatMap(filesUnder)) {
    if (/\.test\.tsx?$/.test(file)) continue;
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

const textOf = (path: string) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

/** Waits until no other run is building. The lock of a dead run is taken over. */
async function takeLock(): Promise<void> {
  mkdirSync(dirname(lock), { recursive: true });
  for (;;) {
    try {
      const file = openSync(lock, 'wx');
      writeFileSync(file, String(process.pid));
      closeSync(file);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = Number(textOf(lock));
    if (owner && !isRunning(owner)) rmSync(lock, { force: true });
    else await sleep(200);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Compresses each text file; the server sends the compressed files as they are. */
function compress(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|css|svg|webmanifest)$/.test(name)) continue;
    const bytes = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

async function buildSite(wanted: string): Promise<void> {
  console.log('Building the site …');
  rmSync(stamp, { force: true });
  const command = join(root, 'node_modules/@react-router/dev/bin.cjs');
  const run = spawnSync(process.execPath, [command, 'build'], { cwd: root, encoding: 'utf8' });
  if (run.status !== 0) {
    process.stderr.write(`${run.stdout}${run.stderr}`);
    console.error('The site could not be built; the lines above say why.');
    process.exitCode = 1;
    return;
  }
  await renderPictures(join(root, 'web/public'), join(build, 'client'));
  compress(join(build, 'client'));
  writeFileSync(stamp, wanted);
}

const wanted = fingerprint();
if (textOf(stamp) !== wanted) {
  await takeLock();
  try {
    // Another run may have built the same while this one waited.
    if (textOf(stamp) !== wanted) await buildSite(wanted);
  } finally {
    rmSync(lock, { force: true });
  }
}
