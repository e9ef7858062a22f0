import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Shutdown } from '../health.ts';

/** Milliseconds after which requests in progress are aborted. */
const timeout = 5000;
/** Milliseconds in which a new connection may still send its first request. */
const grace = 500;

/**
 * Stops a server without losing a request. During the drain time `/readyz` answers 503 and every response closes its
 * connection, until proxies have noticed. Then new connections are refused, and requests in progress are finished.
 */
export function prepareShutdown(app: FastifyInstance, shutdown: Shutdown) {
  // Connections without any request yet, such as browsers open in advance: Node does not count them as idle.
  const unused = new Set<Socket>();
  app.server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }) => unused.delete(socket));
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (shutdown.begun) reply.header('connection', 'close');
    done(null, payload);
  });

  return async (drainSeconds: number): Promise<void> => {
    shutdown.begun = true;
    // This covers responses that do not go through Fastify.
    app.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
    await sleep(drainSeconds * 1000);
    const closeIdle = setInterval(() => app.server.closeIdleConnections(), 50);
    const endUnused = setTimeout(() => {
      for (const socket of unused) socket.destroy();
    }, grace);
    const cutOff = setTimeout(() => app.server.closeAllConnections(), timeout);
    try {
      await app.close();
    } finally {
      clearInterval(closeIdle);
      clearTimeout(endUnused);
      clearTimeout(cutOff);
    }
  };
}
