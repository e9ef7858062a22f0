import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { listReels } from '#server/features/reels/reels.ts';
import { migrate, openDatabase } from '#server/platform/database/database.ts';
import { listSpread } from '#server/platform/database/spread.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextOn } from '#testing/context.ts';
import { fillDatabase } from './filling.ts';
import { newestReels, rate, withLeases } from './views.ts';

/*
 * `node bench/cluster.ts <address> [--seconds 20]`: views a second and pages of the feed on the PostgreSQL or coordinator at this address, whose
 * database is filled first if it has no people. With the processor time and the rows of each node of this machine (docs/scaling.md).
 */

/** Processor seconds that a PostgreSQL of this machine has used, with the processes that it started. */
function processorSeconds(postmaster: string): number {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ');
  const fieldsOf = (pid: string) => {
    try {
      // After the name in brackets, which may have spaces.
      return readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
        .map(Number);
    } catch {
      // It has ended.
      return [];
    }
  };
  const own = (pid: string) => (fieldsOf(pid)[11] ?? 0) + (fieldsOf(pid)[12] ?? 0);
  const ended = (fieldsOf(postmaster)[13] ?? 0) + (fieldsOf(postmaster)[14] ?? 0);
  const ticksPerSecond = 100;
  return ([postmaster, ...children].reduce((sum, pid) => sum + own(pid), 0) + ended) / ticksPerSecond;
}

/** The process of each node, the coordinator first. */
async function postmasters(db: Kysely<Tables>, isSpread: boolean): Promise<string[]> {
  const read = `select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)`;
  const { rows } = await (isSpread
    ? sql<{ pid: string }>`
        select result as pid from run_command_on_all_nodes(${read}) join pg_dist_node using (nodeid) order by groupid`
    : sql<{ pid: string }>`select split_part(pg_read_file('postmaster.pid'), e'\n', 1) as pid`
  ).execute(db);
  return rows.map(({ pid }) => pid);
}

const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string', default: '20' } },
  allowPositionals: true,
});
const [url = ''] = positionals;
const seconds = Number(values.seconds);
const db = await openDatabase(url);
await migrate(db);
if (!(await db.selectFrom('people').select('id').limit(1).executeTakeFirst()))
  await fillDatabase(url, { reels: 10_000, people: 1_000 }, '');
const spread = await listSpread(db);
const nodes = await postmasters(db, spread.length > 0);
const reels = await newestReels(db);

const before = nodes.map(processorSeconds);
const show = withLeases(db);
const perSecond = await rate(seconds, (player) => show(reels[player % reels.length] ?? '', player));
const used = nodes.map((node, index) => processorSeconds(node) - (before[index] ?? 0));

const context = contextOn(db);
const times: number[] = [];
for (const end = performance.now() + (seconds / 2) * 1000; performance.now() < end; ) {
  const began = performance.now();
  await listReels(context, { limit: 24, cursor: undefined });
  times.push(performance.now() - began);
}
times.sort((a, b) => a - b);
const percentile = (share: number) => `${times[Math.floor(times.length * share)]?.toFixed(1)} ms`;
process.stdout.write(
  `${spread.length} tables are spread over ${nodes.length} nodes.
views a second: ${Math.round(perSecond)}
processor seconds of each node for 100,000 views: ${used.map((used) => ((used / (perSecond * seconds)) * 100_000).toFixed(1)).join(', ')}
feed: p50 ${percentile(0.5)}, p95 ${percentile(0.95)}\n`,
);
await db.destroy();
