import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CacheKey } from './cache-key.ts';
import type { Shutdown } from './health.ts';
import { namesOneHost } from './host.ts';
import { interceptRequests } from './intercept-requests.ts';
import type { Freshness, Kept, RenderCache } from './render-cache.ts';

/** An answer as it left last time: all headers but its number, and the bytes. */
interface Ready {
  /** Of the answer and not the answer itself, which is larger and stays as long as whoever refers to it. */
  freshness: Freshness;
  headers: string[];
  body: Buffer;
  /** Somebody has been let in to whom it is made anew. */
  renewing: boolean;
}

/** While one request has an answer made anew the others are given the old one, for so many milliseconds at most. */
const renewedWithin = 1000;

/**
 * Gives kept answers again before anything else is done for a request: no routing, no hooks, no validation, no
 * compression, no headers put together. What it gives is byte for byte what the answer's maker sent, under a number of its own.
 */
export interface ResponseCache {
  /** Says that this request is answered by these bytes, with the reply's headers as they stand, while `kept` is fresh. */
  keep(request: FastifyRequest, reply: FastifyReply, kept: Kept, body: Buffer): void;
  /** How many answers it has given. */
  given(): number;
}

/** Where answers that are the same for everybody are kept for a moment. */
export interface ResponseCaches {
  cache: RenderCache;
  responseCache: ResponseCache;
}

/**
 * Stands before the framework's own listener. Shut while the server is leaving, for then each answer says so, and where
 * the log has a line for every request. Addresses of one `addressKey` have one answer. What it keeps takes `bytesAtMost`, as it is sent: some thousands of pages. The Host
 * matters where answers name it, which is where ORIGIN does not say it.
 */
export function openResponseCache(
  app: FastifyInstance,
  shutdown: Shutdown,
  addressKey: CacheKey,
  { logsRequests = false, hostMatters = true, bytesAtMost = 64 * 1024 * 1024 } = {},
): ResponseCache {
  /** Everything of a request that a kept answer may depend on; undefined where none is kept for it. */
  const keyOf = (url: string, headers: IncomingHttpHeaders) => {
    const address = addressKey(url);
    if (address === undefined) return undefined;
    const lang = headers.cookie === undefined ? '' : languageIn(headers.cookie);
    const host = hostMatters ? headers.host : '';
    return `${address}\n${host}\n${headers['accept-encoding']}\n${headers['accept-language']}\n${lang}`;
  };
  const ready = new Map<string, Ready>();
  let bytes = 0;
  let given = 0;

  function forget(key: string): void {
    bytes -= ready.get(key)?.body.length ?? 0;
    ready.delete(key);
  }

  /** All stay for as long, so that those kept first, which stand first in the map, are the first that nobody is given any more. */
  function makeRoom(): void {
    for (const [key, { freshness }] of ready) {
      if (bytes <= bytesAtMost && performance.now() - freshness.until <= renewedWithin) break;
      forget(key);
    }
  }

  function give(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' || shutdown.begun || logsRequests) return false;
    const key = keyOf(request.url ?? '', request.headers);
    const known = key === undefined ? undefined : ready.get(key);
    if (key === undefined || !known || !namesOneHost(request)) return false;
    const { until } = known.freshness;
    const late = performance.now() - until;
    if (late < 0) return send(response, known);
    // Something has changed (0), or it was not made in time.
    if (until === 0 || late > renewedWithin) forget(key);
    else if (known.renewing) return send(response, known);
    known.renewing = true;
    return false;
  }

  function send(response: ServerResponse, known: Ready): true {
    response.writeHead(200, [...known.headers, 'x-request-id', randomUUID()]);
    response.end(known.body);
    given += 1;
    return true;
  }

  interceptRequests(app, give);

  return {
    keep({ raw }, reply, kept, body) {
      if (raw.method !== 'GET' || kept.freshness.until <= performance.now()) return;
      const key = keyOf(raw.url ?? '', raw.headers);
      if (key === undefined) return;
      const headers = headersOf(reply, body.length);
      forget(key);
      ready.set(key, { freshness: kept.freshness, headers, body, renewing: false });
      bytes += body.length;
      makeRoom();
    },
    given: () => given,
  };
}

/** The language that a visitor has chosen before, as their cookies have it; empty where they have not. */
export const languageIn = (cookie: string) => /(?:^|;\s*)lang=([\w-]+)/.exec(cookie)?.[1] ?? '';

function headersOf(reply: FastifyReply, length: number): string[] {
  const all = { ...reply.getHeaders(), 'content-length': length };
  return Object.entries(all)
    .filter(([name, value]) => name !== 'x-request-id' && value !== undefined)
    .flatMap(([name, value]) => [name, String(value)]);
}
