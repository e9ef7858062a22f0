import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Measurement } from './harness.ts';

/**
 * What one request of each call and page costs, dearest first. The requests are those of the tests, so Vitest runs
 * it (`cost.test.ts`). It compares with nothing, and adds no rows to docs/performance.md.
 */
export const cost: Measurement = {
  name: 'cost',
  async run() {
    const env = { ...process.env, COST: process.env.COST ?? '25' };
    const arguments_ = ['node_modules/vitest/vitest.mjs', 'run', 'bench/cost.test.ts'];
    const child = spawn(process.execPath, arguments_, { env, stdio: 'inherit' });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`the measurement ended with ${code}`);
    return [];
  },
};
