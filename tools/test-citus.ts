import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { onCluster, withBackup } from './on-cluster.ts';

/** `npm run test:citus`: the tests of what touches spread tables, on the cluster whose coordinator `TEST_CITUS_URL` names as a superuser. */
if (process.env.TEST_CITUS_URL) {
  const { status } = spawnSync('vitest', ['run', '--project', 'citus', ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  const folders = (patterns: string[]) => new Set(globSync(patterns).map(dirname));
  const run = folders(onCluster);
  const left = [...folders(['server/**/*.test.ts', 'demo/**/*.test.ts', 'e2e/*.test.ts'])].filter(
    (folder) => !run.has(folder),
  );
  process.stdout.write(`Not run on the cluster: ${[...left.sort(), ...withBackup].join(', ')}.\n`);
  process.exitCode = status ?? 1;
} else {
  process.stdout.write(
    'TEST_CITUS_URL names no coordinator of a Citus cluster, so nothing was tested on one.\n',
  );
}
