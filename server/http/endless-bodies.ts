import type { FastifyInstance } from 'fastify';

/** After its answer, so much more of a body is let pass, in bytes and seconds, so that its sender comes to read the answer. */
const [mostBytes, mostSeconds] = [64 * 1024 * 1024, 30];

/** Cuts off whoever goes on sending a body that has been answered already: Node would read it to its end, if it has one. */
export function closeEndlessBodies(app: FastifyInstance): void {
  app.addHook('onResponse', async (request) => {
    const { complete, socket } = request.raw;
    // A request made in process has no connection.
    if (complete !== false || !socket || socket.destroyed || socket.bytesRead === undefined) return;
    // Whoever read it has left; what still comes is for nobody.
    request.raw.unpipe();
    request.raw.resume();
    const start = { bytes: socket.bytesRead, at: performance.now() };
    const watch = setInterval(() => {
      const passed = performance.now() - start.at;
      if (request.raw.complete || socket.destroyed) clearInterval(watch);
      else if (socket.bytesRead - start.bytes > mostBytes || passed > mostSeconds * 1000) socket.destroy();
    }, 100);
    watch.unref();
  });
}
