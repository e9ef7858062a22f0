import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { compiledMessages } from './tools/compile-messages.ts';
import { clusterTests, onCluster, withBackup } from './tools/on-cluster.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const never = ['node_modules/**', 'build/**', 'data/**'];
const tests = globSync('**/*.test.{ts,tsx}', { exclude: never });

/** Whether a file, or a helper in `testing/` that it uses, imports this one, or one below this folder. */
function uses(file: string, wanted: string, seen = new Set<string>()): boolean {
  const imports = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) (?!type)[^;]*? from '([.#][^']+)';$/gm,
  );
  return [...imports]
    .map(([, path = '']) => (path.startsWith('#') ? path.slice(1) : join(dirname(file), path)))
    .filter((path) => path.startsWith('testing/') && !seen.has(path))
    .some((path) => path.startsWith(wanted) || uses(path, wanted, seen.add(path)));
}

const isWhole = process.env.LONG === '1';
/** A test or a group of tests whose title ends so runs in `npm run test:long` only, beside others that hold most of its rule. */
const longTitle = / \[long\]/;
/** What comes by the hundred, of which the others have a share (testing/share.ts), and files with tests that are left to `test:long`. */
const shared = tests.filter(
  (file) => uses(file, 'testing/share.ts') || longTitle.test(readFileSync(file, 'utf8')),
);
/** How pages look and hold on rare screens, texts, networks and clicks; what starts the program several times. */
const rare = [
  'account-journey',
  'account-mails',
  'analytics',
  'blocks',
  'breaking-texts',
  'bucket',
  'compress-video',
  'corpus',
  'contact',
  'dates',
  'delete-account',
  'demo',
  'development',
  'editing',
  'embed',
  'google-login',
  'late-fonts',
  'layout',
  'list-states',
  'log-secrets',
  'media-hosts',
  'motion',
  'naughty-strings',
  'page-cache',
  'passkeys',
  'persisted-lists',
  'player-layout',
  'playing',
  'pre-hydration-clicks',
  'push',
  'reasons',
  'reel-earnings',
  'settings',
  'share-target',
  'stories',
  'to-the-letter',
  'topology',
  'upgrade',
  'upload-queue',
  'views',
];
/** Rules that others hold at less cost (docs/decisions/0036-how-tests-run.md). */
const heldElsewhere = [
  'demo/keep-stories',
  'demo/pictures/pictures',
  'server/features/earnings/two-processes',
  'server/features/payers/since-restore',
  'server/features/search/marked-queries',
  'server/features/uploads/fair-checks',
  'server/media/prints/reel-prints',
];
const long = [
  ...[...rare.map((name) => `e2e/${name}`), ...heldElsewhere].map((name) => `${name}.test.ts`),
  ...(isWhole ? shared : []),
];
const breaking = ['backup', 'kills', 'mixed-load', 'overload'].map((name) => `e2e/${name}.test.ts`);
/** The other ways to break a site, of which `npm test` has no share. */
const faults = [
  ...['crash', 'disk-reserve', 'fair-share', 'stop-under-load', 'storage-faults'].map(
    (name) => `e2e/${name}.test.ts`,
  ),
  'server/boot/database-frozen.test.ts',
  'server/boot/several-processes.test.ts',
];
/** Invented histories and requests, of which even the share takes longer than all else about a rule. */
const generated = [
  'server/features/earnings/bound.test.ts',
  'server/features/earnings/histories.test.ts',
  'server/features/earnings/paid-histories.test.ts',
  'server/features/payers/at-once.test.ts',
  'server/features/payers/payout-histories.test.ts',
  'server/features/payers/restored-histories.test.ts',
  'server/features/stored-files/stored-files.test.ts',
  'server/http/api/generated-requests.test.ts',
];
const encoding = tests.filter(
  (file) =>
    /^(demo|server\/media|server\/features\/uploads)\//.test(file) ||
    // Photos are encoded, changed, and encoded again.
    uses(file, 'testing/copies/changes.ts') ||
    // The matrices of all calls need a clip, but whoever changes a call needs them first.
    (!/^(e2e|server\/http\/api)\//.test(file) && uses(file, 'testing/fixtures/clips.ts')),
);

/** Pages and components in jsdom, whose server is the test (testing/page). */
const components = ['web/**/*.component.test.tsx'];

/** Money, and who may do what: the first that whoever changes anything wants to know, although it needs a server and a database. */
export const heart = [
  ...['access', 'blocks'].map((name) => `server/http/api/${name}.test.ts`),
  ...[
    'earnings/earnings',
    'earnings/edges',
    'months/closing',
    'payers/alone',
    'withdrawals/carry-over',
    'withdrawals/withdrawals',
  ].map((name) => `server/features/${name}.test.ts`),
];
/** What reads the built pages. */
const built = ['bench/script-size.test.ts'];
/** What needs no server, database, browser, build or program, and the heart: `npm run test:fast`, with the components. */
const fast = tests.filter(
  (file) =>
    heart.includes(file) ||
    !(
      built.includes(file) || ['testing/servers/', 'testing/browser/'].some((helpers) => uses(file, helpers))
    ),
);

const without = (...others: string[][]) => [...never, ...others.flat()];

/** More than the two cores of a small machine: a worker waits a third of its time, for the database, a child or a browser. */
const workers = 3;

const installBrowser = 'testing/browser/install-browser.ts';

export default defineConfig({
  // The tests' own passwords are worth no work: a fifth of a second for each person who signs up and in.
  resolve: { alias: [{ find: /^@node-rs\/argon2$/, replacement: here('testing/quick-argon2.ts') }] },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: fast,
          exclude: without(['e2e/**'], components, encoding, generated, faults, long),
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['**/*.test.{ts,tsx}'],
          exclude: without(['e2e/**'], clusterTests, components, fast, encoding, generated, faults, long),
        },
      },
      {
        extends: false,
        plugins: [compiledMessages()],
        test: {
          name: 'component',
          include: components,
          environment: 'jsdom',
          setupFiles: ['testing/page/setup.ts'],
          pool: 'forks',
          isolate: false,
          maxWorkers: workers,
          testTimeout: 180_000,
        },
      },
      { extends: true, test: { name: 'generated', include: generated, exclude: without(long) } },
      // Only where there is a cluster: other projects have the same files.
      ...(process.env.TEST_CITUS_URL
        ? [
            {
              extends: true as const,
              test: {
                name: 'citus',
                include: onCluster,
                exclude: without(long, withBackup),
                globalSetup: [installBrowser],
              },
            },
          ]
        : []),
      // Where videos and photos are made and encoded.
      {
        extends: true,
        test: { name: 'media', include: encoding, exclude: without(faults, long) },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['e2e/**/*.test.ts'],
          exclude: without(clusterTests, breaking, faults, long),
          globalSetup: [installBrowser],
        },
      },
      // What breaks things takes both cores, and comes after all else.
      {
        extends: true,
        test: {
          name: 'reliability',
          include: breaking,
          exclude: never,
          isolate: true,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      // Many minutes: `npm run test:long`, also of the project before.
      {
        extends: true,
        test: {
          name: 'faults',
          include: faults,
          exclude: never,
          isolate: true,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          globalSetup: [installBrowser],
        },
      },
      { extends: true, test: { name: 'long', include: long, globalSetup: [installBrowser] } },
    ],
    globalSetup: ['testing/servers/postgres.ts'],
    setupFiles: ['testing/servers/loopback-only.ts', 'testing/media-priority.ts'],
    // Every program and every child that reads a file starts anew: a fifth to a third of its start is compiling the same modules.
    env: { NODE_COMPILE_CACHE: here('node_modules/.cache/compile') },
    ...(isWhole ? {} : { testNamePattern: /^(?!.* \[long\])/ }),
    pool: 'forks',
    // A worker reads the server once and not for each file: no module keeps what a test has done to it.
    isolate: false,
    maxWorkers: workers,
    // A busy machine may take its time; what holds is not decided by a clock.
    testTimeout: 180_000,
    expect: { poll: { timeout: 120_000 } },
    hookTimeout: 240_000,
  },
});
