import { spawnSync } from 'node:child_process';
import { featureCircles } from './feature-circles.ts';
import { unknownLicences } from './licences.ts';
import { listenersReplaced } from './request-listener.ts';
import { sqlImports } from './sql-across-features.ts';
import { foreignTables } from './table-owners.ts';

const types = (project: string) =>
  [
    'tsc',
    '--noEmit',
    '-p',
    project,
    // What did not change since the last check is not checked again.
    '--incremental',
    '--tsBuildInfoFile',
    `node_modules/.cache/types-${project === '.' ? 'tests' : project}.tsbuildinfo`,
  ] as const;

/** `npm run check`: format and lint, types, unused code, import direction, circles of features, table owners, SQL across features, request listener, licences. */
const checks = [
  ['format and lint', 'biome', 'ci', '--error-on-warnings', '.'],
  ['types of the routes', 'react-router', 'typegen'],
  ['types of the server', ...types('server')],
  ['types of the site', ...types('web')],
  ['types of the tests and tools', ...types('.')],
  ['promises', 'oxlint', '--type-aware', '--deny-warnings', '.'],
  ['unused code', 'knip'],
  [
    'import direction',
    'depcruise',
    '--config',
    '.dependency-cruiser.json',
    'contract',
    'server',
    'web',
    'demo',
    'e2e',
    'testing',
    'bench',
    'deploy',
    'tools',
  ],
] as const;

let failed = 0;
for (const [name, command, ...options] of checks) {
  const { status } = spawnSync(command, options, { stdio: 'inherit' });
  process.stdout.write(`${status === 0 ? 'passed' : 'FAILED'}: ${name}\n`);
  if (status !== 0) failed += 1;
}
for (const [name, faults] of [
  ['circles of features', featureCircles()],
  ['table owners', foreignTables()],
  ['SQL across features', sqlImports()],
  ['request listener', listenersReplaced()],
  ['licences', unknownLicences()],
] as const) {
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.stdout.write(`${faults.length === 0 ? 'passed' : 'FAILED'}: ${name}\n`);
  if (faults.length > 0) failed += 1;
}
process.exitCode = failed === 0 ? 0 : 1;
