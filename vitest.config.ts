import { defineConfig } from 'vitest/config';

const never = ['node_modules/**', 'build/**', 'data/**'];

const long = ['e2e/bucket.test.ts', 'e2e/corpus.test.ts', 'e2e/shrink.test.ts', 'e2e/topology.test.ts'];

const breaking = ['backup', 'kills', 'mixed-load', 'fair-share', 'overload', 'stop-under-load'].map(
  (name) => `e2e/${name}.test.ts`,
);

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'server', include: ['**/*.test.{ts,tsx}'], exclude: [...never, 'e2e/**'] },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['e2e/**/*.test.ts'],
          exclude: [...never, ...breaking, ...long],
        },
      },
      // What breaks things takes both cores, and comes after all else.
      {
        extends: true,
        test: { name: 'reliability', include: breaking, exclude: never, sequence: { groupOrder: 1 } },
      },
      // Minutes on their own even in their short form: `npm run test:long`.
      { extends: true, test: { name: 'long', include: long } },
    ],
    globalSetup: ['testing/postgres.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    // A busy machine may take its time; what holds is not decided by a clock.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 120_000,
  },
});
