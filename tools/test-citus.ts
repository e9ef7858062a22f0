import { execFileSync, spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { heart } from '../vitest.config.ts';
import { notRun } from './not-run.ts';

/**
 * `npm run test:citus`: the tests of what touches spread tables, on the cluster whose coordinator `TEST_CITUS_URL` names as a superuser. Without
 * file arguments, it then lists each test file that may use a database and is not in that project.
 */
if (process.env.TEST_CITUS_URL) {
  // The tests in a browser and of the topology run the built site.
  execFileSync('npm', ['run', '-s', 'build'], { stdio: 'inherit' });
  const some = process.argv.slice(2);
  const { status } = spawnSync('vitest', ['run', '--project', 'citus', ...some], { stdio: 'inherit' });
  if (some.length === 0) {
    // Of `component` no test has a database, and of `fast` only its heart.
    const others = filesOf(...['component', 'fast', 'citus'].map((project) => `--project=!${project}`));
    const left = notRun([...others, ...heart], filesOf('--project=citus'));
    process.stdout.write(`Not run on the cluster:\n${left.map((line) => `  ${line}\n`).join('')}`);
    if (process.env.LONG !== '1')
      process.stdout.write('Nor are tests whose title ends with [long], without LONG=1.\n');
  }
  process.exitCode = status ?? 1;
} else {
  process.stdout.write(
    'TEST_CITUS_URL names no coordinator of a Citus cluster, so nothing was tested on one.\n',
  );
}

/** The test files of these projects, as paths in this repository. */
function filesOf(...projects: string[]): string[] {
  const listed = execFileSync('vitest', ['list', '--filesOnly', '--json', ...projects], { encoding: 'utf8' });
  return (JSON.parse(listed) as { file: string }[]).map(({ file }) => relative('.', file));
}
