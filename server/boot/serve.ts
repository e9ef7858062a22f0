import type { FastifyBaseLogger } from 'fastify';
import { runDemo } from '#demo/seed.ts';
import type { Config } from '../config.ts';
import { createMetricsApp } from '../http/metrics.ts';
import type { Site } from '../http/pages/page-renderer.ts';
import type { Clock } from '../platform/clock.ts';
import { createMetrics, measureProcess } from '../platform/metrics.ts';
import { createServer } from './create-server.ts';
import { listen } from './listen.ts';

export { openSite } from '../http/pages/page-threads.ts';

interface ServeOptions {
  config: Config;
  clock: Clock;
  /** The URL of the embedded PostgreSQL, if `config` has none. */
  embeddedUrl: string | undefined;
  /** Undefined: no pages. */
  site: Site | undefined;
  logger: FastifyBaseLogger;
  say(line: string): void;
  /** Started parts register how they are stopped here. */
  started: (() => Promise<void>)[];
}

/** What the setting INTERACTIONS means for visitors. */
const modes: Record<Config['interactions'], string> = {
  app: 'People like, comment and follow in the mobile app (INTERACTIONS=app); INTERACTIONS=web npm start lets them do so on the site.',
  web: 'People like, comment and follow on the site (INTERACTIONS=web).',
};

/** Builds the server with a running database, and listens. */
export async function serve({
  config,
  clock,
  embeddedUrl,
  site,
  logger,
  say,
  started,
}: ServeOptions): Promise<void> {
  const metrics = createMetrics();
  if (config.metricsPort !== undefined) {
    measureProcess(metrics);
    const app = createMetricsApp(metrics);
    started.push(() => app.close());
    say(
      `Metrics are at ${await listen(app, config.metricsHost, config.metricsPort, 'METRICS_PORT')}/metrics`,
    );
  }

  if (config.testClock) say(`The time of this site is moved by TEST_CLOCK: it is ${clock().toISOString()}.`);
  const databaseUrl = config.databaseUrl ?? embeddedUrl ?? '';
  const server = await createServer({ config, databaseUrl, clock, logger, site, metrics, say });
  started.push(() => server.close());
  const address = await listen(server.app, config.host, config.port);
  if (site) say(modes[config.interactions]);
  say(config.role === 'worker' ? `Jhalak's worker is ready at ${address}` : `Jhalak is ready at ${address}`);

  // An operator's own database is never filled with demo data.
  if (config.demo && embeddedUrl) {
    const stopping = new AbortController();
    const demo = runDemo(server, config, say, stopping.signal).catch((error: unknown) => {
      if (!stopping.signal.aborted) logger.error(error, 'the demo content could not be completed');
    });
    started.push(async () => {
      stopping.abort();
      await demo;
    });
  }
}
