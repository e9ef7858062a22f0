import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * Calls `tryHandle` before the framework with its routing and hooks sees a request. If it returns true it has answered the
 * request. The interceptor that was added last runs first.
 */
export function interceptRequests(
  app: FastifyInstance,
  tryHandle: (request: IncomingMessage, response: ServerResponse) => boolean,
): void {
  const [next] = app.server.listeners('request') as RequestListener[];
  if (!next) throw new Error('the server has no request listener');
  app.server.removeListener('request', next);
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!tryHandle(request, response)) next(request, response as Parameters<RequestListener>[1]);
  });
}
