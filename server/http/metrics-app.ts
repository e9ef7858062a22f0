import Fastify, { type FastifyInstance } from 'fastify';
import type { Metrics } from '../platform/metrics.ts';

/** What the metrics port answers: `/metrics`, and nothing else. */
export function createMetricsApp(metrics: Metrics): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true });
  app.get('/metrics', async (_request, reply) => {
    reply.type(metrics.registry.contentType).header('cache-control', 'no-store');
    return await metrics.text();
  });
  return app;
}
