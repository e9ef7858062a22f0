import { flushCompileCache } from 'node:module';
import closeWithGrace from 'close-with-grace';
import { type Logger, pino } from 'pino';
import { type Config, readConfig } from '../config.ts';
import { databaseFolder, startEmbeddedPostgres } from '../platform/database/embedded.ts';
import { openLog } from '../platform/log.ts';
import { dataFolder, keyFolder, openFolder } from '../platform/setting-paths.ts';
import { StartupError } from '../platform/startup-error.ts';
import { clockOf } from '../platform/test-clock.ts';
import { checkAddress } from './listen.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
/** Everything that was started, to be stopped in reverse order. */
const started: (() => Promise<void>)[] = [];

async function end(): Promise<void> {
  for (const stop of started.splice(0).reverse()) await stop();
}

async function start(config: Config): Promise<void> {
  if (config.role !== 'all' && !config.databaseUrl) {
    throw new StartupError(
      `ROLE=${config.role} needs DATABASE_URL: the embedded database belongs to one process that does everything.`,
    );
  }
  await openFolder(dataFolder(config.dataDir));
  await openFolder(keyFolder(config.keysDir));
  const clock = clockOf(config.testClock);
  await checkAddress(config.host, config.port);
  if (config.metricsPort !== undefined)
    await checkAddress(config.metricsHost, config.metricsPort, 'METRICS_PORT');
  const logger = openLog(config.logLevel, pino.destination(2));
  const [embeddedUrl, { serve, site }] = await Promise.all([
    startDatabase(config),
    readTheRest(config, logger),
  ]);
  await serve({ config, clock, embeddedUrl, site, logger, say, started });
  flushCompileCache();
}

async function startDatabase(config: Config): Promise<string | undefined> {
  if (config.databaseUrl) return undefined;
  const postgres = await startEmbeddedPostgres({ directory: databaseFolder(config.dataDir), say });
  started.push(() => postgres.stop());
  return postgres.url;
}

/** Imports that are not needed for starting the database run in the meantime; either takes a second. */
async function readTheRest({ role }: Config, logger: Logger) {
  const { serve, openSite } = await import('./serve.ts');
  if (role === 'worker') return { serve, site: undefined };
  const site = await openSite(logger);
  started.push(() => site.close());
  return { serve, site };
}

/** Stops everything in order, at Ctrl-C, SIGTERM or an uncaught error. */
function endInOrder({ drainSeconds }: Config): void {
  // Besides draining, requests in progress and the database may need time.
  const delay = (drainSeconds + 30) * 1000;
  closeWithGrace({ delay, logger: false }, async ({ signal, err }) => {
    if (err) process.stderr.write(`${err.stack}\n`);
    if (signal) say('Stopping …');
    await end();
  });
}

try {
  const config = readConfig(process.env);
  endInOrder(config);
  await start(config);
} catch (error) {
  await end();
  process.stderr.write(`${error instanceof StartupError ? error.message : (error as Error).stack}\n`);
  process.exit(1);
}
