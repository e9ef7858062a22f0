import type { FastifyInstance } from 'fastify';

/** A client that is still sending gets this much more after the response, so that it comes to read the response. */
const [maxBytes, maxSeconds] = [64 * 1024 * 1024, 30];

/** Closes connections that keep sending a request body after the response: Node would read such a body to its end, or for ever. */
export function closeEndlessBodies(app: FastifyInstance): void {
  app.addHook('onResponse', (request, _reply, done) => {
    done();
    const { complete, socket } = request.raw;
    // A request made in process has no real connection.
    if (complete !== false || !socket || socket.destroyed || socket.bytesRead === undefined) return;
    // The reader of the body is gone, so the remaining bytes are discarded.
    request.raw.unpipe();
    request.raw.resume();
    const start = { bytes: socket.bytesRead, at: performance.now() };
    const watch = setInterval(() => {
      const passed = performance.now() - start.at;
      if (request.raw.complete || socket.destroyed) clearInterval(watch);
      else if (socket.bytesRead - start.bytes > maxBytes || passed > maxSeconds * 1000) socket.destroy();
    }, 100);
    watch.unref();
  });
}
