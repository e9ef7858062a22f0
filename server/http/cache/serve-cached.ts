import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import type { Metrics } from '#server/platform/metrics.ts';
import { languageIn } from '../language-cookie.ts';
import type { CachedResponse, ResponseCache, SentResponse } from './response-cache.ts';
import { type Encoding, encodeResponse, encodingOf } from './response-encoding.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * All parts of a request that its response depends on, except the encoding; undefined if a cached response does not suit
     * this request. Parts that nothing reads must not be in the key, since each key is an entry of its own. It may read the URL, the
     * method and what `signatureOf` reads of the headers only.
     */
    cacheKey?: (request: FastifyRequest) => string | undefined;
  }
}

/** How many different requests are remembered, and how many characters decide about each. */
const [maxRemembered, longestSignature] = [2000, 1000];

/**
 * Answers GET requests from the cache with the bytes and headers of the first response and a new request id: the limits, headers and
 * measurements of other requests cost more than the response. A request that differs from an earlier one in nothing that matters is
 * answered even before Fastify creates its objects, which take a fifth of the time.
 */
export function createCachedAnswers(cache: ResponseCache, { registry }: Metrics) {
  const hits = new Counter({
    name: 'jhalak_response_cache_hits_total',
    help: 'Requests served from the response cache',
    registers: [registry],
  });
  /** What a request was answered with, by its signature. */
  const remembered = new Map<string, { key: string; encoding: Encoding }>();
  const signatures = new WeakMap<IncomingMessage, string>();

  function send(request: IncomingMessage, response: ServerResponse, found: Found, id: string): void {
    hits.inc();
    const { cached, sent } = found;
    // Names and values in one array, which Node writes without copying them into an object.
    const isUnchanged = cached.status === 200 && hasTag(request, cached);
    const headers = isUnchanged ? sent.unchanged : sent.headers;
    response.writeHead(isUnchanged ? 304 : cached.status, [...headers, 'x-request-id', id]);
    response.end(isUnchanged ? undefined : sent.body);
  }

  function find(key: string, encoding: Encoding): Found | undefined {
    const cached = cache.find(key);
    const sent = cached?.sent.get(encoding);
    return cached && sent && { cached, sent };
  }

  return {
    /** Answers a request like one before; false if Fastify has to. */
    answer(request: IncomingMessage, response: ServerResponse): boolean {
      const signature = signatureOf(request);
      if (signature === undefined) return false;
      const known = remembered.get(signature);
      const found = known && find(known.key, known.encoding);
      if (found) send(request, response, found, randomUUID());
      else signatures.set(request, signature);
      return found !== undefined;
    },
    /** This must be the first hook but one: what a client accepts has been read. */
    register(app: FastifyInstance): void {
      app.addHook('onRequest', (request, reply, done) => {
        const key = request.method === 'GET' ? request.routeOptions.config.cacheKey?.(request) : undefined;
        // A short response is not encoded in the cache.
        if (key === undefined || request.refusesIdentity) return done();
        const encoding = encodingOf(request.headers['accept-encoding']);
        const found = find(key, encoding);
        if (!found) {
          cache.revalidate(key);
          return done();
        }
        request.isMeasured = false;
        reply.hijack();
        send(request.raw, reply.raw, found, request.id);
        const signature = signatures.get(request.raw);
        if (signature === undefined) return;
        if (remembered.size >= maxRemembered) remembered.clear();
        remembered.set(signature, { key, encoding });
      });
    },
  };
}

interface Found {
  cached: CachedResponse;
  sent: SentResponse;
}

/**
 * Everything that decides which cached response suits a request. Undefined if none may: it has a token or a body, or is not as HTTP wants it.
 */
function signatureOf({ method, url, headers, rawHeaders }: IncomingMessage): string | undefined {
  if (method !== 'GET' || headers.authorization !== undefined || headers['transfer-encoding'] !== undefined)
    return undefined;
  if (headers['content-length'] !== undefined || hosts(rawHeaders) !== 1) return undefined;
  const signature = `${url}\n${headers.host}\n${headers['accept-encoding']}\n${headers['accept-language']}\n${headers['sec-fetch-dest']}\n${languageIn(headers.cookie)}`;
  return signature.length <= longestSignature ? signature : undefined;
}

/** Node keeps the first of several Host headers and drops the others. */
function hosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count += 1;
  return count;
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
function hasTag({ headers }: { headers: IncomingHttpHeaders }, { etag }: CachedResponse): boolean {
  return headers['if-none-match']?.includes(etag.slice(2)) ?? false;
}

const isOfUnchanged = ([name]: readonly string[]) =>
  !name?.startsWith('content-') || name === 'content-security-policy';

function headersOf(reply: FastifyReply, length: number): string[][] {
  const all = { ...reply.getHeaders(), 'content-length': length };
  return Object.entries(all)
    .filter(([name, value]) => name !== 'x-request-id' && value !== undefined)
    .map(([name, value]) => [name, String(value)]);
}
