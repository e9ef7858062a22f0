import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CacheKey } from './cache-key.ts';
import type { Shutdown } from './health.ts';
import { namesOneHost } from './host.ts';
import { interceptRequests } from './intercept-requests.ts';
import type { CacheEntry, Freshness, RenderCache } from './render-cache.ts';

/** A response as it was sent: all headers except `x-request-id`, and the encoded body. */
interface EncodedEntry {
  /** Refers to the expiry only: a reference to the whole render cache entry would keep its larger body in memory. */
  freshness: Freshness;
  headers: string[];
  body: Buffer;
  /** One request has been let through to render it again. */
  revalidating: boolean;
}

/** While one request revalidates an entry, others get the stale one for at most this many milliseconds. */
const maxStale = 1000;

/**
 * Serves cached responses before the framework does anything: no routing, hooks, validation, compression or building of
 * headers. The bytes are those of the first response; only the request id is new.
 */
export interface ResponseCache {
  /** Stores an encoded body with the reply's current headers, to be served for equal requests until `entry` expires. */
  store(request: FastifyRequest, reply: FastifyReply, entry: CacheEntry, body: Buffer): void;
  /** Number of requests served from the cache. */
  hits(): number;
}

/** The two caches of responses that are the same for everybody: rendered, and encoded for sending. */
export interface ResponseCaches {
  cache: RenderCache;
  responseCache: ResponseCache;
}

/**
 * Runs before the framework's own request listener. It is off while the server shuts down, since each response must then close
 * its connection, and while every request is logged. Addresses with the same `addressKey` share an entry. Encoded bodies take at
 * most `maxBytes`, enough for some thousands of pages. The Host header is part of the key if ORIGIN is not set, because
 * responses then contain it.
 */
export function openResponseCache(
  app: FastifyInstance,
  shutdown: Shutdown,
  addressKey: CacheKey,
  { logsRequests = false, hostMatters = true, maxBytes = 64 * 1024 * 1024 } = {},
): ResponseCache {
  /** All parts of a request that a cached response may depend on; undefined if the request cannot be cached. */
  const keyOf = (url: string, headers: IncomingHttpHeaders) => {
    const address = addressKey(url);
    if (address === undefined) return undefined;
    const lang = headers.cookie === undefined ? '' : languageIn(headers.cookie);
    const host = hostMatters ? headers.host : '';
    return `${address}\n${host}\n${headers['accept-encoding']}\n${headers['accept-language']}\n${lang}`;
  };
  const entries = new Map<string, EncodedEntry>();
  let bytes = 0;
  let hits = 0;

  function evict(key: string): void {
    bytes -= entries.get(key)?.body.length ?? 0;
    entries.delete(key);
  }

  /** All entries live equally long, so those inserted first, which come first in the map, expire first. */
  function evictOld(): void {
    for (const [key, { freshness }] of entries) {
      if (bytes <= maxBytes && performance.now() - freshness.until <= maxStale) break;
      evict(key);
    }
  }

  function tryServe(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' || shutdown.begun || logsRequests) return false;
    const key = keyOf(request.url ?? '', request.headers);
    const known = key === undefined ? undefined : entries.get(key);
    if (key === undefined || !known || !namesOneHost(request)) return false;
    const { until } = known.freshness;
    const late = performance.now() - until;
    if (late < 0) return send(response, known);
    // The content has changed (0), or revalidation took too long.
    if (until === 0 || late > maxStale) evict(key);
    else if (known.revalidating) return send(response, known);
    known.revalidating = true;
    return false;
  }

  function send(response: ServerResponse, known: EncodedEntry): true {
    response.writeHead(200, [...known.headers, 'x-request-id', randomUUID()]);
    response.end(known.body);
    hits += 1;
    return true;
  }

  interceptRequests(app, tryServe);

  return {
    store({ raw }, reply, entry, body) {
      if (raw.method !== 'GET' || entry.freshness.until <= performance.now()) return;
      const key = keyOf(raw.url ?? '', raw.headers);
      if (key === undefined) return;
      const headers = headersOf(reply, body.length);
      evict(key);
      entries.set(key, { freshness: entry.freshness, headers, body, revalidating: false });
      bytes += body.length;
      evictOld();
    },
    hits: () => hits,
  };
}

/** The language in the visitor's cookie; empty if there is none. */
export const languageIn = (cookie: string) => /(?:^|;\s*)lang=([\w-]+)/.exec(cookie)?.[1] ?? '';

function headersOf(reply: FastifyReply, length: number): string[] {
  const all = { ...reply.getHeaders(), 'content-length': length };
  return Object.entries(all)
    .filter(([name, value]) => name !== 'x-request-id' && value !== undefined)
    .flatMap(([name, value]) => [name, String(value)]);
}
