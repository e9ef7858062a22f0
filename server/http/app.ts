import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { v7 } from 'uuid';
import { Refusal } from '../platform/refusal.ts';
import type { Caller, Route } from '../platform/route.ts';
import type { DiskStorage } from '../platform/storage.ts';
import { registerApi } from './api.ts';
import { registerDocs } from './docs.ts';
import { failureOf, sendFailure } from './failures.ts';
import { registerMedia } from './media-files.ts';

export interface AppParts {
  logger: FastifyBaseLogger;
  routes: readonly Route[];
  storage: DiskStorage;
  findCaller: (token: string) => Promise<Caller | undefined>;
  /** Whether the database answers. */
  isReady: () => Promise<boolean>;
  trustProxy: boolean;
  isHttps: boolean;
}

/** The HTTP server without the pages: the API, its documentation, media and health. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    loggerInstance: parts.logger,
    trustProxy: parts.trustProxy,
    genReqId: () => v7(),
    bodyLimit: 256 * 1024,
    routerOptions: { maxParamLength: 200 },
    // A body of half a gigabyte over a phone's network takes its time; a silent one does not.
    requestTimeout: 0,
    connectionTimeout: 60_000,
    forceCloseConnections: true,
  });
  app.setErrorHandler(sendFailure);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  await app.register(helmet, {
    // Pages bring their own policy (pages.ts); what is not a page may do nothing at all.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    strictTransportSecurity: parts.isHttps,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  await app.register(compress, { encodings: ['br', 'gzip'], threshold: 1024 });
  await app.register(rateLimit, {
    global: false,
    errorResponseBuilder: (_request, context) =>
      new Refusal('too_many_requests', `Too many tries. Please wait ${context.after} and try again.`),
  });
  await app.register(multipart);
  await registerDocs(app);
  registerApi(app, parts.routes, parts.storage, parts.findCaller);
  await registerMedia(app, parts.storage.mediaFolder);

  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }));
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const ready = await parts.isReady();
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable' });
  });
  app.all('/api/*', { schema: { hide: true } }, async (request, reply) => {
    const refusal = new Refusal('not_found', 'There is no such call; see /api/docs.');
    return reply.code(404).send(failureOf(refusal, request.id));
  });
  return app;
}
