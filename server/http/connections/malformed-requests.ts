import { type IncomingMessage, type OutgoingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { v7 } from 'uuid';
import { Refusal } from '#server/platform/refusal.ts';
import { failureOf } from '../failures.ts';
import { namesOneHost, refuseHost } from '../host.ts';

const unreadablePath = '/api/-unreadable';
const badHostPath = '/api/-unreadable-host';

/**
 * Rewrites the URL of malformed requests to a route that refuses them: a path that cannot be decoded, or a missing or ambiguous
 * Host header. So they pass through hooks and limits like any other request. Of an absolute URL only path and query are used.
 */
export function rewriteMalformedUrl(request: IncomingMessage): string {
  if (!namesOneHost(request)) return badHostPath;
  const relative = (request.url ?? '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const url = relative.startsWith('/') ? relative : `/${relative}`;
  const [path = '/'] = url.split('?', 1);
  if (!path.includes('%')) return url;
  try {
    decodeURI(path);
    return url;
  } catch {
    return unreadablePath;
  }
}

export function registerMalformedRequests(app: FastifyInstance): void {
  app.all(unreadablePath, { schema: { hide: true } }, async () => {
    throw new Refusal('invalid_input', { what: 'address' });
  });
  app.all(badHostPath, { schema: { hide: true } }, async () => refuseHost());
}

/** Answers bytes that are not HTTP. There is no request object then, only the socket. */
export function rejectUnparsableRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }[error.code ?? ''] ?? 400;
  sendFailureOnSocket(socket, new Refusal('invalid_input', { what: 'unreadable' }, undefined, status));
}

/** Writes a failure response to a socket and closes it. `headers` are those that the response already has. */
export function sendFailureOnSocket(
  socket: Socket,
  refusal: Refusal,
  headers: OutgoingHttpHeaders = {},
): void {
  const body = JSON.stringify(failureOf(refusal, String(headers['x-request-id'] ?? v7())));
  const all: OutgoingHttpHeaders = {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    connection: 'close',
  };
  const lines = Object.entries(all).flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => `${name}: ${value}`),
  );
  const status = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`;
  socket.end([status, ...lines, '', body].join('\r\n'));
}
