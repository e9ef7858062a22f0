import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import type { Metrics } from '#server/platform/metrics.ts';
import type { CachedResponse, ResponseCache } from './response-cache.ts';
import { encodeResponse, encodingOf } from './response-encoding.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * All parts of a request that its response depends on, except the encoding; undefined if a cached response does not suit
     * this request. Parts that nothing reads must not be in the key, since each key is an entry of its own.
     */
    cacheKey?: (request: FastifyRequest) => string | undefined;
  }
}

/**
 * Answers GET requests from the cache with the bytes and headers of the first response and a new request id. This must be the
 * first hook: the limits, headers and measurements of the others cost more than the response.
 */
export function serveFromCache(app: FastifyInstance, cache: ResponseCache, { registry }: Metrics): void {
  const hits = new Counter({
    name: 'jhalak_response_cache_hits_total',
    help: 'Requests served from the response cache',
    registers: [registry],
  });
  app.addHook('onRequest', (request, reply, done) => {
    const key = request.method === 'GET' ? request.routeOptions.config.cacheKey?.(request) : undefined;
    const cached = key === undefined ? undefined : cache.find(key);
    const sent = cached?.sent.get(encodingOf(request.headers['accept-encoding']));
    // A short response is not encoded in the cache.
    if (!sent || request.refusesIdentity) return done();
    hits.inc();
    request.isMeasured = false;
    reply.hijack();
    // Names and values in one array, which Node writes without copying them into an object.
    const isUnchanged = cached?.status === 200 && hasTag(request, cached);
    const headers = isUnchanged ? sent.unchanged : sent.headers;
    reply.raw.writeHead(isUnchanged ? 304 : (cached?.status ?? 200), [
      ...headers,
      'x-request-id',
      request.id,
    ]);
    reply.raw.end(isUnchanged ? undefined : sent.body);
  });
}

/** Sends a cached response, compressed once for all clients. `isForAll` is false if this reply has headers for one client. */
export async function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  cached: CachedResponse,
  isForAll = true,
): Promise<FastifyReply> {
  if (isForAll && cached.status === 200) {
    reply.header('etag', cached.etag);
    if (hasTag(request, cached)) return await reply.code(304).removeHeader('content-type').send();
  }
  const encoding = encodingOf(request.headers['accept-encoding']);
  const body = await encodeResponse(cached, encoding);
  if (body !== cached.body) reply.header('content-encoding', encoding);
  if (isForAll) {
    const headers = headersOf(reply, body.length);
    cached.sent.set(encoding, {
      headers: headers.flat(),
      unchanged: headers.filter(isOfUnchanged).flat(),
      body,
    });
  }
  return reply.send(body);
}

/** Whether the client has this response already. The comparison is a weak one, and proxies may have dropped the `W/`. */
function hasTag(request: FastifyRequest, { etag }: CachedResponse): boolean {
  return request.headers['if-none-match']?.includes(etag.slice(2)) ?? false;
}

const isOfUnchanged = ([name]: readonly string[]) =>
  !name?.startsWith('content-') || name === 'content-security-policy';

function headersOf(reply: FastifyReply, length: number): string[][] {
  const all = { ...reply.getHeaders(), 'content-length': length };
  return Object.entries(all)
    .filter(([name, value]) => name !== 'x-request-id' && value !== undefined)
    .map(([name, value]) => [name, String(value)]);
}
