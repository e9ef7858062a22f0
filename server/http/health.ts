import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { exemptFromConcurrencyLimit } from './limits/load-shedding.ts';

/** Whether the server is shutting down: then `/readyz` fails and keep-alive connections are closed. */
export interface Shutdown {
  begun: boolean;
}

/**
 * `/healthz` reports that the process runs. `/readyz` reports whether to send it requests: 503 during shutdown or if the database does not
 * respond.
 */
export function registerHealth(
  app: FastifyInstance,
  answers: () => Promise<boolean>,
  shutdown: Shutdown,
): void {
  app.get('/healthz', { schema: { hide: true }, config: exemptFromConcurrencyLimit }, async () => ({
    status: 'ok',
  }));
  app.get(
    '/readyz',
    { schema: { hide: true }, config: exemptFromConcurrencyLimit },
    async (_request, reply) => {
      const status = shutdown.begun ? 'leaving' : (await answers()) ? 'ok' : 'unavailable';
      return reply.code(status === 'ok' ? 200 : 503).send({ status });
    },
  );
}

/** The HTTP server of a worker, which has only the health checks. */
export function createHealthApp(
  logger: FastifyBaseLogger,
  answers: () => Promise<boolean>,
  shutdown: Shutdown,
): FastifyInstance {
  const app: FastifyInstance = Fastify({ loggerInstance: logger, forceCloseConnections: true });
  registerHealth(app, answers, shutdown);
  return app;
}
