import Fastify, { type FastifyInstance } from 'fastify';
import type { Metrics } from '../platform/metrics.ts';

/** The HTTP server of the metrics port, which has only `/metrics`. */
export function createMetricsApp(metrics: Metrics): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true });
  app.get('/metrics', async (_request, reply) => {
    reply.type(metrics.registry.contentType).header('cache-control', 'no-store');
    return await metrics.text();
  });
  return app;
}
