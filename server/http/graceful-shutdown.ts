import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Shutdown } from './health.ts';

/** What still runs after so many milliseconds is cut off. */
const patience = 5000;
/** A connection that has just been made may bring its first request for so many milliseconds. */
const grace = 500;

/**
 * Lets a server go without losing a request: `/readyz` says so and every answer ends its connection, for as long as a
 * proxy needs to notice; then nobody new is let in, and who is being answered gets the answer.
 */
export function prepareShutdown(app: FastifyInstance, shutdown: Shutdown) {
  // Connections on which nothing has been asked yet, such as a browser makes ahead: Node does not count them as idle.
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
    // Also answers that are not Fastify's own.
    app.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
    await sleep(drainSeconds * 1000);
    const letGo = setInterval(() => app.server.closeIdleConnections(), 50);
    const endUnused = setTimeout(() => {
      for (const socket of unused) socket.destroy();
    }, grace);
    const cutOff = setTimeout(() => app.server.closeAllConnections(), patience);
    try {
      await app.close();
    } finally {
      clearInterval(letGo);
      clearTimeout(endUnused);
      clearTimeout(cutOff);
    }
  };
}
