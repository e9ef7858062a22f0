import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { exemptFromConcurrencyLimit } from './load-shedding.ts';

/** Whether a server is on its way out: it is asked for nothing new, and lets go of connections that are kept. */
export interface Shutdown {
  begun: boolean;
}

/** `/healthz`: the process answers. `/readyz`: it should be sent requests; 503 where its database is silent or it is leaving. */
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

/** What a worker answers: how it is, and nothing else. */
export function createHealthApp(
  logger: FastifyBaseLogger,
  answers: () => Promise<boolean>,
  shutdown: Shutdown,
): FastifyInstance {
  const app: FastifyInstance = Fastify({ loggerInstance: logger, forceCloseConnections: true });
  registerHealth(app, answers, shutdown);
  return app;
}
