import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { startProgram } from '../testing/program.ts';

/*
 * `npm run bench`: how long a start on existing data takes to its first answer, against a bare Node process that does
 * nothing, in turn; and how much script Home loads.
 */
const rounds = 5;
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

async function bareNode(): Promise<void> {
  const { execFileSync } = await import('node:child_process');
  execFileSync(process.execPath, ['-e', '0']);
}

/** Compressed bytes of every script the page names, the root's preloads included. */
async function scriptOf(page: string): Promise<{ files: number; bytes: number }> {
  const names = new Set([...page.matchAll(/\/assets\/[\w.-]+\.js/g)].map(([name]) => name));
  const folder = fileURLToPath(new URL('../build/client', import.meta.url));
  const sizes = [...names].map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length);
  return { files: names.size, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

const folder = mkdtempSync(join(tmpdir(), 'jhalak-bench-'));
try {
  const settings = { DATA_DIR: folder };
  await (await startProgram(settings)).stop();
  const starts: number[] = [];
  const bare: number[] = [];
  let page = '';
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await timed(bareNode));
    let stop = async (): Promise<unknown> => undefined;
    starts.push(
      await timed(async () => {
        const program = await startProgram(settings);
        stop = program.stop;
        page = await (await fetch(program.origin)).text();
      }),
    );
    await stop();
  }
  const script = await scriptOf(page);
  const rows = [
    ['start on existing data to the first page', `${(median(starts) / 1000).toFixed(2)} s`, '< 3 s'],
    ['… against a bare Node process', `${(median(starts) / median(bare)).toFixed(1)} ×`, ''],
    [`Home's script, gzip, ${script.files} files`, `${(script.bytes / 1000).toFixed(1)} KB`, '<= 160 KB'],
    [
      'readable before any script',
      page.includes('<h1') && page.includes('href="/LoginGoogle"') ? 'yes' : 'NO',
      'yes',
    ],
  ];
  process.stdout.write(`| measured (median of ${rounds}) | figure | reach |\n| --- | --- | --- |\n`);
  for (const row of rows) process.stdout.write(`| ${row.join(' | ')} |\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
