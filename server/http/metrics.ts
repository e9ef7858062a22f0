import Fastify, { type FastifyInstance } from 'fastify';
import { Counter, Histogram } from 'prom-client';
import type { Metrics } from '../platform/metrics.ts';
import { pageRoute } from './limits/load-shedding.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** False for responses that are counted elsewhere: from the cache, and to requests that are shed. */
    isMeasured: boolean;
  }
}

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
  app.decorateRequest('isMeasured', true);
  app.addHook('onResponse', (request, reply, done) => {
    if (!request.isMeasured) return done();
    // All pages have one label, since only React Router knows their routes.
    const { url = pageRoute } = request.routeOptions;
    const route = url === pageRoute ? 'page' : url;
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    seconds.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
    if (reply.statusCode === 429) limited.inc({ route });
    done();
  });
}

/** The HTTP server of the metrics port, which has only `/metrics`. */
export function createMetricsApp(metrics: Metrics): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true });
  app.get('/metrics', async (_request, reply) => {
    reply.type(metrics.registry.contentType).header('cache-control', 'no-store');
    return await metrics.text();
  });
  return app;
}
