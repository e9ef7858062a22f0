import type { Client } from '../platform/fair-queue.ts';
import { runInChild } from './run-in-child.ts';

const bounds = { seconds: 20, memory: 512 * 1024 ** 2, refuseDeadly: true };

/** The first of these prints of which the work is a copy; undefined if there is none. */
export async function findCopy<P extends { print: Buffer }>(
  print: Buffer,
  others: readonly P[],
  client?: Client,
): Promise<P | undefined> {
  if (others.length === 0) return undefined;
  const input = {
    print: print.toString('base64'),
    others: others.map((other) => other.print.toString('base64')),
  };
  const { index } = await runInChild('compare', input, { ...bounds, client });
  return others[index];
}
