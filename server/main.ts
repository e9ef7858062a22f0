import './production.ts';
import closeWithGrace from 'close-with-grace';
import { pino } from 'pino';
import { seedDemo } from '../demo/seed.ts';
import { readConfig } from './config.ts';
import { loadSite } from './http/pages.ts';
import { listen } from './listen.ts';
import { systemClock } from './platform/clock.ts';
import { startEmbeddedPostgres } from './platform/database/embedded.ts';
import { StartupError } from './platform/startup-error.ts';
import { createServer, databaseFolder } from './server.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
/** What was started, to be ended in the opposite order. */
const started: (() => Promise<void>)[] = [];

async function end(): Promise<void> {
  for (const stop of started.splice(0).reverse()) await stop();
}

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const logger = pino({ level: config.logLevel }, pino.destination(2));
  const postgres = config.databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ directory: databaseFolder(config.dataDir), say });
  if (postgres) started.push(() => postgres.stop());

  const server = await createServer(
    config,
    config.databaseUrl ?? postgres?.url ?? '',
    systemClock,
    logger,
    await loadSite(),
  );
  started.push(() => server.close());
  say(`Jhalak is ready at ${await listen(server.app, config.host, config.port)}`);

  // Somebody else's database is never filled with our people.
  if (config.demo && postgres) {
    const stopping = new AbortController();
    const demo = seedDemo(server, config, say, stopping.signal).catch((error: unknown) => {
      if (!stopping.signal.aborted) logger.error(error, 'the demo content could not be completed');
    });
    started.push(async () => {
      stopping.abort();
      await demo;
    });
  }
}

closeWithGrace({ delay: 15_000, logger: false }, async ({ signal, err }) => {
  if (err) process.stderr.write(`${err.stack}\n`);
  if (signal) say('Stopping …');
  await end();
});

try {
  await start();
} catch (error) {
  await end();
  process.stderr.write(`${error instanceof StartupError ? error.message : (error as Error).stack}\n`);
  process.exit(1);
}
