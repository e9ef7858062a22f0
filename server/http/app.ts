import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import proxyAddress from '@fastify/proxy-addr';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Resumable } from '../features/media/resumable.ts';
import type { Unpublished } from '../features/media/unpublished.ts';
import type { Clock } from '../platform/clock.ts';
import type { DistributedRateLimit } from '../platform/distributed-rate-limit.ts';
import type { Metrics } from '../platform/metrics.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Route } from '../platform/route.ts';
import type { AnyStorage } from '../platform/storage/open.ts';
import { registerApi } from './api.ts';
import { cacheKeyOf } from './cache-key.ts';
import type { FindCaller } from './caller.ts';
import { openClients } from './clients.ts';
import { limitConnections } from './connections.ts';
import { registerDocs } from './docs.ts';
import { closeEndlessBodies } from './endless-bodies.ts';
import { failureOf, sendFailure } from './failures.ts';
import { registerHealth, type Shutdown } from './health.ts';
import { enforceConcurrencyLimit, type LoadShedding } from './load-shedding.ts';
import {
  registerMalformedRequests,
  rejectUnparsableRequest,
  rewriteMalformedUrl,
} from './malformed-requests.ts';
import { registerMedia } from './media-files.ts';
import { registerRateLimits } from './rate-limits.ts';
import type { CheckDiskSpace } from './receive-file.ts';
import type { RenderCache } from './render-cache.ts';
import { measureAhead, measureRequests } from './request-metrics.ts';
import { openResponseCache, type ResponseCache } from './response-cache.ts';
import { registerResumable } from './resumable.ts';

/** What no page of this site does. A file from the camera comes by a file field, which needs no leave. */
const powers = [
  'camera',
  'microphone',
  'geolocation',
  'payment',
  'usb',
  'serial',
  'midi',
  'display-capture',
  'browsing-topics',
]
  .map((power) => `${power}=()`)
  .join(', ');

export interface AppParts {
  logger: FastifyBaseLogger;
  metrics: Metrics;
  routes: readonly Route[];
  storage: AnyStorage;
  resumable: Resumable;
  clock: Clock;
  mediaDelivery: 'proxy' | 'redirect';
  findCaller: FindCaller;
  checkDiskSpace: CheckDiskSpace;
  unpublished: Unpublished;
  /** Where answers that are the same for everybody are kept. */
  cache: RenderCache;
  /** Whether the files under a key are served to nobody. */
  isWithheld: (key: string) => Promise<boolean>;
  /** Whether the database answers. */
  answers: () => Promise<boolean>;
  shutdown: Shutdown;
  /** Where several processes count requests together; else this one counts for itself. */
  counts: DistributedRateLimit | undefined;
  /** Addresses and networks of the proxies before us. */
  trustProxy: string[];
  /** Where the settings say it: scheme and host of the site. */
  origin: string | undefined;
  requestsAtOnce: number;
  /** How many connections are open at most. */
  connections: number;
}

/** Bounds of what clients hold without doing anything; 60 s is what a phone in a tunnel takes to come back. */
const held = { waitingEach: 64 * 1024 * 1024, waiting: 128 * 1024 * 1024, slowest: 1024, slowFor: 60 };

/** The HTTP server without the pages: the API, its documentation, media and health. */
export async function createApp(
  parts: AppParts,
): Promise<{ app: FastifyInstance; responseCache: ResponseCache; turns: LoadShedding }> {
  const app: FastifyInstance = Fastify({
    loggerInstance: parts.logger,
    // X-Forwarded-For is read from the right, as long as who added to it is one of these.
    trustProxy: parts.trustProxy.length > 0 && parts.trustProxy,
    genReqId: () => randomUUID(),
    rewriteUrl: rewriteMalformedUrl,
    clientErrorHandler: rejectUnparsableRequest,
    bodyLimit: 256 * 1024,
    routerOptions: { maxParamLength: 200 },
    // A body of half a gigabyte over a phone's network takes its time; a silent one does not.
    requestTimeout: 0,
    connectionTimeout: 60_000,
    // Whoever is being answered gets the answer, also while the server is leaving (graceful-shutdown.ts).
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  });
  app.setErrorHandler(sendFailure);
  const clients = openClients(parts.findCaller);
  const isTrusted = proxyAddress.compile(parts.trustProxy);
  const addressOf = (request: IncomingMessage) => proxyAddress(request, isTrusted);
  const turns = enforceConcurrencyLimit(app, clients, addressOf, parts.requestsAtOnce);
  // Ahead of those turns: what is kept is given however many ask.
  const responseCache = openResponseCache(app, parts.shutdown, cacheKeyOf(parts.routes), {
    logsRequests: /^(info|debug|trace)$/.test(parts.logger.level),
    hostMatters: parts.origin === undefined,
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    // Whatever a page of ours embeds or is made to run asks for none of these.
    reply.header('permissions-policy', powers);
    // What a call answers is its caller's alone, unless it says otherwise (kept lists).
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
  });
  measureRequests(app, parts.metrics);
  measureAhead(responseCache, turns, parts.metrics);
  closeEndlessBodies(app);
  await app.register(helmet, {
    // Pages bring their own policy (pages.ts); what is not a page may do nothing at all.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    // The window that Google sign-in opens stays known to the page that opened it; whoever opens this site gets no hold of it.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    strictTransportSecurity: parts.origin?.startsWith('https:') ?? false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  await app.register(compress, { encodings: ['br', 'gzip'], threshold: 1024 });
  await registerRateLimits(app, parts.counts);
  await app.register(multipart);
  await registerDocs(app);
  const { findCaller } = clients;
  registerApi(app, { ...parts, findCaller, responseCache });
  await registerResumable(app, { ...parts, findCaller });
  await registerMedia(app, parts);
  registerMalformedRequests(app);

  registerHealth(app, parts.answers, parts.shutdown);
  app.all('/api/*', { schema: { hide: true } }, async (request, reply) => {
    const refusal = new Refusal('not_found', 'There is no such call; see /api/docs.');
    return reply.code(404).send(failureOf(refusal, request.id));
  });
  limitConnections(app, addressOf, { ...held, connections: parts.connections });
  return { app, responseCache, turns };
}
