import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerCache, Kept } from './answer-cache.ts';
import type { Leaving } from './health.ts';

/** An answer as it left last time: all headers but its number, and the bytes. */
interface Ready {
  kept: Kept;
  headers: string[];
  body: Buffer;
  /** Somebody has been let in to whom it is made anew. */
  renewing: boolean;
}

/** As many different requests as are known at once. */
const requestsAtMost = 5000;
/** While one request has an answer made anew the others are given the old one, for so many milliseconds at most. */
const renewedWithin = 1000;

/**
 * Gives kept answers again before anything else is done for a request: no routing, no hooks, no validation, no
 * compression, no headers put together. What it gives is byte for byte what the answer's maker sent, under a number of its own.
 */
export interface FrontDoor {
  /** Says that this request is answered by these bytes, with the reply's headers as they stand, while `kept` is fresh. */
  keep(request: FastifyRequest, reply: FastifyReply, kept: Kept, body: Buffer): void;
  /** How many answers it has given. */
  given(): number;
}

/** Where answers that are the same for everybody are kept for a moment. */
export interface Keeping {
  cache: AnswerCache;
  frontDoor: FrontDoor;
}

/**
 * Stands before the framework's own listener. Shut while the server is leaving, for then each answer says so, and where
 * the log has a line for every request.
 */
export function openFrontDoor(app: FastifyInstance, leaving: Leaving, logsRequests: boolean): FrontDoor {
  const ready = new Map<string, Ready>();
  let given = 0;

  function give(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' || leaving.begun || logsRequests) return false;
    const key = keyOf(request.url ?? '', request.headers);
    const known = ready.get(key);
    if (!known) return false;
    const { until } = known.kept;
    const late = performance.now() - until;
    if (late < 0) return send(response, known);
    // Something has changed (0), or it was not made in time.
    if (until === 0 || late > renewedWithin) ready.delete(key);
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

  const [inside] = app.server.listeners('request') as RequestListener[];
  if (!inside) throw new Error('the framework listens to no requests');
  app.server.removeListener('request', inside);
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!give(request, response)) inside(request, response as Parameters<RequestListener>[1]);
  });

  return {
    keep({ raw }, reply, kept, body) {
      if (raw.method !== 'GET' || kept.until <= performance.now()) return;
      if (ready.size >= requestsAtMost) ready.clear();
      ready.set(keyOf(raw.url ?? '', raw.headers), {
        kept,
        headers: headersOf(reply, body.length),
        body,
        renewing: false,
      });
    },
    given: () => given,
  };
}

/** Everything of a request that a kept answer may depend on, as it was sent. */
function keyOf(url: string, headers: IncomingHttpHeaders): string {
  const lang = headers.cookie === undefined ? '' : languageIn(headers.cookie);
  const origin = `${headers.host}\n${headers['x-forwarded-host']}\n${headers['x-forwarded-proto']}`;
  return `${url}\n${origin}\n${headers['accept-encoding']}\n${headers['accept-language']}\n${lang}`;
}

const languageIn = (cookie: string) => /(?:^|;\s*)lang=([\w-]+)/.exec(cookie)?.[1] ?? '';

function headersOf(reply: FastifyReply, length: number): string[] {
  const all = { ...reply.getHeaders(), 'content-length': length };
  return Object.entries(all)
    .filter(([name, value]) => name !== 'x-request-id' && value !== undefined)
    .flatMap(([name, value]) => [name, String(value)]);
}
