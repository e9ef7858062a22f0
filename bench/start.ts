import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { feed, home } from './cached.ts';
import { closing } from './closing.ts';
import { consoleLists } from './console.ts';
import { copies } from './copies.ts';
import { cost } from './cost.ts';
import { files } from './files.ts';
import { type Filled, openFilled } from './filled.ts';
import { flat } from './flat.ts';
import type { Bench, Measurement } from './harness.ts';
import { marks } from './lighthouse.ts';
import { memory } from './memory.ts';
import { motion } from './motion.ts';
import { script } from './script.ts';
import { search } from './search.ts';
import { signIn } from './sign-in.ts';
import { startUp } from './start-up.ts';
import { swipe } from './swipe.ts';
import { tableWith } from './table.ts';
import { taste, tasteLists, tasteTown } from './taste.ts';
import { transcode } from './transcode.ts';
import { uploads } from './uploads.ts';
import { views } from './views.ts';

/*
 * `npm run bench`: all measurements, or the named ones with their parts: `taste` names `taste-town` too. The results are written to
 * docs/performance.md.
 */
const measurements: Measurement[] = [
  feed,
  home,
  flat,
  views,
  closing,
  signIn,
  memory,
  startUp,
  script,
  transcode,
  uploads,
  files,
  swipe,
  motion,
  marks,
  copies,
  search,
  consoleLists,
  taste,
  tasteTown,
  tasteLists,
  cost,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    requests: { type: 'string', default: '1000000' },
    reels: { type: 'string', default: '1000000' },
    ratings: { type: 'string' },
    queries: { type: 'string', default: '20000' },
  },
});
const isNamed = (name: string, by: string) => name === by || name.startsWith(`${by}-`);
const unknown = positionals.filter((by) => !measurements.some(({ name }) => isNamed(name, by)));
if (unknown.length > 0) {
  console.error(
    `There is no ${unknown.join(', ')}; there are: ${measurements.map((one) => one.name).join(', ')}.`,
  );
  process.exit(1);
}
const chosen = measurements.filter(
  ({ name }) => positionals.length === 0 || positionals.some((by) => isNamed(name, by)),
);

const say = (line: string) => process.stdout.write(`${line}\n`);
let filled: Promise<Filled> | undefined;
const bench: Bench = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  requests: Number(values.requests),
  reels: Number(values.reels),
  queries: Number(values.queries),
  ratings: values.ratings,
  say,
  filled() {
    filled ??= openFilled(say);
    return filled;
  },
};

const page = fileURLToPath(new URL('../docs/performance.md', import.meta.url));
const day = new Date().toISOString().slice(0, 10);
const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}, Node ${process.versions.node}`;
try {
  for (const { name, run } of chosen) {
    const start = performance.now();
    say(`${name} …`);
    const rows = await run(bench);
    for (const row of rows)
      say(`  ${[row.what, row.ours, row.against, row.ratio, row.reach, met(row.holds)].join(' | ')}`);
    say(`  ${((performance.now() - start) / 1000).toFixed(0)} s`);
    const measured = rows.map((row) => [
      name,
      row.what,
      row.ours,
      row.against,
      row.ratio,
      row.reach,
      verdict(row.holds),
      day,
    ]);
    const order = measurements.map((one) => one.name);
    if (rows.length > 0)
      writeFileSync(page, tableWith(readFileSync(page, 'utf8'), name, measured, { order, machine }));
  }
} finally {
  await (await filled)?.stop();
}

function met(holds: boolean | undefined): string {
  if (holds === undefined) return '';
  return holds ? 'met' : 'not met';
}

function verdict(holds: boolean | undefined): string {
  if (holds === undefined) return '';
  return holds ? 'yes' : 'NO';
}
