import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import closeWithGrace from 'close-with-grace';
import { StartupError } from '#server/platform/startup-error.ts';
import { startTopology } from './topology.ts';

/*
 * `npm run topology`: the many machines that `deploy/` describes, on this one, until Ctrl-C (deploy/README.md). It starts
 * empty, and removes its data at the end.
 */
const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = await mkdtemp(join(tmpdir(), 'jhalak-topology-'));

try {
  say('Starting two databases, pgbouncer, an S3 server, two webs, two workers and nginx …');
  const topology = await startTopology(folder);
  closeWithGrace({ delay: 60_000, logger: false }, async ({ err }) => {
    if (err) process.stderr.write(`${err.stack}\n`);
    say('Stopping …');
    await topology.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const { webs, workers, nginx, pgbouncer, s3, replica, urls, pooled } = topology;
  for (const part of [nginx, ...webs, ...workers, pgbouncer, s3, replica])
    say(`${part.name.padEnd(10)} process ${part.pid}`);
  say(`PostgreSQL ${urls.primary}\nreplica    ${urls.replica}\npgbouncer  ${pooled}`);
  say(`Files and logs are in ${folder}; the site is at ${topology.origin}`);
} catch (error) {
  await rm(folder, { recursive: true, force: true });
  process.stderr.write(`${error instanceof StartupError ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
