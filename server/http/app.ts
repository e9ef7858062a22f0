import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import multipart from '@fastify/multipart';
import proxyAddress from '@fastify/proxy-addr';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Cards } from '../features/stored-files/cards.ts';
import type { Resumable } from '../features/uploads/resumable.ts';
import type { Unpublished } from '../features/uploads/unpublished.ts';
import type { Clock } from '../platform/clock.ts';
import type { DistributedRateLimit } from '../platform/distributed-rate-limit.ts';
import type { Metrics } from '../platform/metrics.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Route } from '../platform/route.ts';
import type { AnyStorage } from '../platform/storage/open.ts';
import { type RequireConfirmation, registerApi } from './api/api.ts';
import { registerDocs } from './api/docs.ts';
import type { CheckDiskSpace } from './api/receive-file.ts';
import { registerResumable } from './api/resumable.ts';
import type { ResponseCache } from './cache/response-cache.ts';
import { createCachedAnswers } from './cache/serve-cached.ts';
import type { FindCaller } from './caller.ts';
import { closeEndlessBodies, limitConnections } from './connections/connections.ts';
import {
  registerMalformedRequests,
  rejectUnparsableRequest,
  rewriteMalformedUrl,
} from './connections/malformed-requests.ts';
import { chooseEncoding, encodeResponses } from './content-encoding.ts';
import { failureOf, sendFailure } from './failures.ts';
import { registerMedia } from './files/media-files.ts';
import { registerHealth, type Shutdown } from './health.ts';
import { openClients } from './limits/clients.ts';
import { enforceConcurrencyLimit, type LoadShedding } from './limits/load-shedding.ts';
import { registerRateLimits } from './limits/rate-limits.ts';
import { measureRequests } from './metrics.ts';
import { permissionsPolicy, setSecurityHeaders } from './security-headers.ts';

export interface AppParts {
  logger: FastifyBaseLogger;
  metrics: Metrics;
  routes: readonly Route[];
  storage: AnyStorage;
  resumable: Resumable;
  clock: Clock;
  mediaDelivery: 'proxy' | 'redirect';
  cards: Cards;
  findCaller: FindCaller;
  requireConfirmation: RequireConfirmation;
  /** Whether lists are different for this person than for everybody else. */
  hasBlocks: (personId: string) => Promise<boolean>;
  checkDiskSpace: CheckDiskSpace;
  unpublished: Unpublished;
  /** Caches responses that are the same for everybody. */
  cache: ResponseCache;
  /** Whether the files under a key must not be served, for example after a take-down. */
  isWithheld: (key: string) => Promise<boolean>;
  /** Whether the database responds. */
  answers: () => Promise<boolean>;
  shutdown: Shutdown;
  /** Counts requests over all processes; undefined if there is only this one. */
  counts: DistributedRateLimit | undefined;
  /** IP addresses and networks of the trusted proxies in front of us. */
  trustProxy: string[];
  /** Scheme and host of the site, if ORIGIN is set. */
  origin: string | undefined;
  maxConcurrentRequests: number;
  /** Maximum of open connections. */
  connections: number;
}

/** Limits for slow clients; a phone may be without a connection for 60 s. */
const connectionLimits = {
  unread: 256 * 1024 * 1024,
  slowest: 1024,
  slowFor: 60,
};

/** In milliseconds. A large upload from a phone may take very long, its headers may not; a connection that sends nothing is closed after a minute. */
const timeouts = { keepAliveTimeout: 72_000, headersTimeout: 60_000, requestTimeout: 0 };

/** The HTTP server without the pages: the API, its documentation, media and health. */
export async function createApp(
  parts: AppParts,
): Promise<{ app: FastifyInstance; loadShedding: LoadShedding }> {
  const cachedAnswers = createCachedAnswers(parts.cache, parts.metrics);
  // Fastify writes a line for each request that it sees.
  const logsRequests = ['info', 'debug', 'trace'].includes(parts.logger.level);
  const app: FastifyInstance = Fastify({
    loggerInstance: parts.logger,
    serverFactory(handle) {
      const server = createServer(timeouts, (request, response) => {
        if (logsRequests || !cachedAnswers.answer(request, response)) handle(request, response);
      });
      return server.setTimeout(60_000);
    },
    // X-Forwarded-For is read from the right, as long as each entry was added by one of these proxies.
    trustProxy: parts.trustProxy.length > 0 && parts.trustProxy,
    genReqId: () => randomUUID(),
    rewriteUrl: rewriteMalformedUrl,
    clientErrorHandler: rejectUnparsableRequest,
    bodyLimit: 256 * 1024,
    routerOptions: { maxParamLength: 200 },
    // Responses in progress are finished during shutdown (graceful-shutdown.ts).
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  });
  app.setErrorHandler(sendFailure);
  const clients = openClients(parts.findCaller);
  const isTrusted = proxyAddress.compile(parts.trustProxy);
  const addressOf = (request: IncomingMessage) => proxyAddress(request, isTrusted);
  chooseEncoding(app);
  measureRequests(app, parts.metrics);
  // Hooks run in this order: cached responses are served even when the server is overloaded.
  cachedAnswers.register(app);
  const loadShedding = enforceConcurrencyLimit(app, clients, parts.metrics, parts.maxConcurrentRequests);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.header('permissions-policy', permissionsPolicy);
    // Responses of the API are private by default; cacheable lists replace this header.
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
  });
  closeEndlessBodies(app);
  await setSecurityHeaders(app, parts.origin);
  await encodeResponses(app);
  await registerRateLimits(app, parts.counts);
  await app.register(multipart);
  await registerDocs(app);
  const { findCaller } = clients;
  registerApi(app, { ...parts, findCaller });
  await registerResumable(app, { ...parts, findCaller });
  await registerMedia(app, parts);
  registerMalformedRequests(app);

  registerHealth(app, parts.answers, parts.shutdown);
  app.all('/api/*', { schema: { hide: true } }, async (request, reply) => {
    const refusal = new Refusal('not_found', { what: 'call' });
    return reply.code(404).send(failureOf(refusal, request.id));
  });
  limitConnections(app, addressOf, { ...connectionLimits, connections: parts.connections });
  return { app, loadShedding };
}
