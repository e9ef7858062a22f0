import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { v7 } from 'uuid';
import { Refusal } from '../platform/refusal.ts';
import { failureOf } from './failures.ts';
import { namesOneHost, refuseHost } from './host.ts';

const place = '/api/-unreadable';
const hostPlace = '/api/-unreadable-host';

/**
 * Leads an address whose path is no text (half an escape, no UTF-8), and a request that does not say which host it is for, to
 * where it is refused like any other request. A whole address, as a proxy is asked for one, is read for its path alone.
 */
export function rewriteMalformedUrl(request: IncomingMessage): string {
  if (!namesOneHost(request)) return hostPlace;
  const asked = (request.url ?? '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const url = asked.startsWith('/') ? asked : `/${asked}`;
  const [path = '/'] = url.split('?', 1);
  if (!path.includes('%')) return url;
  try {
    decodeURI(path);
    return url;
  } catch {
    return place;
  }
}

export function registerMalformedRequests(app: FastifyInstance): void {
  app.all(place, { schema: { hide: true } }, async () => {
    throw new Refusal('invalid_input', 'This address could not be read.');
  });
  app.all(hostPlace, { schema: { hide: true } }, async () => refuseHost());
}

/** Answers what is no HTTP at all; there is no request to answer then, only its socket. */
export function rejectUnparsableRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }[error.code ?? ''] ?? 400;
  sendFailureOnSocket(
    socket,
    new Refusal('invalid_input', 'This request could not be read.', undefined, status),
  );
}

/** Says so on a connection where nothing else is said any more, and ends it. */
export function sendFailureOnSocket(socket: Socket, refusal: Refusal): void {
  const body = JSON.stringify(failureOf(refusal, v7()));
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      "content-security-policy: default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options: nosniff',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
