import type { FastifyInstance } from 'fastify';
import { Counter, Histogram } from 'prom-client';
import type { Metrics } from '../platform/metrics.ts';
import type { LoadShedding } from './load-shedding.ts';
import type { ResponseCache } from './response-cache.ts';

/** Measures each response under the route pattern of the contract: URLs as labels would create endless time series. */
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
    // All pages have one label, since only React Router knows their routes.
    const route = request.routeOptions.url ?? 'page';
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    seconds.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
    if (reply.statusCode === 429) limited.inc({ route });
    done();
  });
}

/** Counts the requests that are answered before the framework sees them, which the histogram does not contain. */
export function countIntercepted(
  responseCache: ResponseCache,
  loadShedding: LoadShedding,
  { registry }: Metrics,
): void {
  const counts = {
    jhalak_response_cache_hits_total: {
      help: 'Requests served from the response cache, before the framework saw them',
      read: responseCache.hits,
    },
    jhalak_requests_shed_total: {
      help: 'Requests answered 503 before the framework saw them, because the queue was full',
      read: loadShedding.requestsShed,
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
