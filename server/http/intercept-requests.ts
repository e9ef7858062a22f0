import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * Puts `take` ahead of all that listens to requests already, the framework with its routing and hooks included: where it
 * says true it has seen to the answer. What is put ahead later is asked earlier.
 */
export function interceptRequests(
  app: FastifyInstance,
  take: (request: IncomingMessage, response: ServerResponse) => boolean,
): void {
  const [inside] = app.server.listeners('request') as RequestListener[];
  if (!inside) throw new Error('nobody listens to requests');
  app.server.removeListener('request', inside);
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!take(request, response)) inside(request, response as Parameters<RequestListener>[1]);
  });
}
