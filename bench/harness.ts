import { execFileSync, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Filled } from './filled.ts';

/** One line of the table: our figure beside the reference, from the same run. */
export interface Row {
  what: string;
  ours: string;
  against: string;
  /** Ours ÷ theirs, or theirs ÷ ours if less is better. `reach` is the target. */
  ratio: string;
  reach: string;
  holds?: boolean;
}

export interface Bench {
  /** Number of rounds; in each round both sides are measured. */
  rounds: number;
  /** Length of one measurement, in seconds. */
  seconds: number;
  /** How many requests the long measurement of memory makes. */
  requests: number;
  /** Size of the large site of the search, and how many searches are measured. */
  reels: number;
  queries: number;
  /** Path of `u.data` of MovieLens 100K; without it the order of For you is not measured. */
  ratings: string | undefined;
  filled(): Promise<Filled>;
  say(line: string): void;
}

/** One measurement, in a file of its own with the same name. */
export interface Measurement {
  name: string;
  run(bench: Bench): Promise<Row[]>;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

export interface Compared {
  ours: number;
  theirs: number;
  /** The median of ours ÷ theirs of each round, not of the medians: both sides of a round saw the same machine. */
  ratio: number;
}

/** Measures both sides alternately, ours first in every other round. */
export async function inTurns(
  rounds: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
): Promise<Compared> {
  const pairs: [number, number][] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) pairs.push([await ours(), await theirs()]);
    else {
      const second = await theirs();
      pairs.push([await ours(), second]);
    }
  }
  return {
    ours: median(pairs.map(([one]) => one)),
    theirs: median(pairs.map(([, other]) => other)),
    ratio: median(pairs.map(([one, other]) => one / other)),
  };
}

export async function milliseconds(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

const hasTaskset = spawnSync('taskset', ['--version']).status === 0;
/** The measured program has the first core to itself, the measuring one the last. */
export const cores = { measured: 0, measuring: cpus().length - 1 };

/** Pins a process, with all its threads, to one core; without `taskset` it is not pinned. */
export function pin(pid: number | undefined, core: number): void {
  if (hasTaskset && pid) execFileSync('taskset', ['-apc', String(core), String(pid)], { stdio: 'ignore' });
}

/** Seconds of processor time that a process has used, including all its threads. Linux only. */
export function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Runs a script of this folder, optionally pinned to a core, and returns its output, which is JSON. */
export async function runScript<T>(script: URL, input: unknown, core?: number): Promise<T> {
  const stdio: StdioOptions = ['ignore', 'pipe', 'inherit'];
  const child = spawn(process.execPath, [script.pathname, JSON.stringify(input)], { stdio });
  if (core !== undefined) pin(child.pid, core);
  let out = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${script.pathname} ended with ${code}`);
  return JSON.parse(out) as T;
}

export const percent = (ratio: number) => `${(ratio * 100).toFixed(0)} %`;
export const times = (ratio: number) => `${ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(2)} ×`;
export const perSecond = (rate: number) => `${Math.round(rate).toLocaleString('en')} /s`;
export const inMilliseconds = (time: number) => `${time >= 100 ? time.toFixed(0) : time.toFixed(2)} ms`;
export const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
export const kilobytes = (bytes: number) => `${(bytes / 1e3).toFixed(1)} KB`;
