import type { FastifyInstance } from 'fastify';
import { Counter, Histogram } from 'prom-client';
import type { Metrics } from '../platform/metrics.ts';
import type { LoadShedding } from './load-shedding.ts';
import type { ResponseCache } from './response-cache.ts';

/** Measures every answer by its route as it is written in the contract, never by the address that was asked for. */
export function measureRequests(app: FastifyInstance, { registry }: Metrics): void {
  const seconds = new Histogram({
    name: 'jhalak_http_request_duration_seconds',
    help: 'From the head of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  const limited = new Counter({
    name: 'jhalak_rate_limited_total',
    help: 'Requests answered 429: their sender was too fast',
    labelNames: ['route'],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    // Pages have no route of their own here: the site's router knows them.
    const route = request.routeOptions.url ?? 'page';
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    seconds.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
    if (reply.statusCode === 429) limited.inc({ route });
    done();
  });
}

/** What is answered ahead of the framework is not among what is measured: counting is all that is done for it. */
export function measureAhead(responseCache: ResponseCache, turns: LoadShedding, { registry }: Metrics): void {
  const counts = {
    jhalak_response_cache_hits_total: {
      help: 'Requests answered by what was kept, before the framework saw them',
      read: responseCache.given,
    },
    jhalak_requests_shed_total: {
      help: 'Requests answered 503 before the framework saw them: as many waited for their turn as can',
      read: turns.turnedAway,
    },
  };
  for (const [name, { help, read }] of Object.entries(counts)) {
    let counted = 0;
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        const now = read();
        this.inc(now - counted);
        counted = now;
      },
    });
  }
}
