import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const folder = fileURLToPath(new URL('../../../build/client', import.meta.url));

/** Serves the built files of the site; browsers cache hashed ones for a year and others for an hour. */
export async function registerAssets(app: FastifyInstance): Promise<void> {
  // For programs that look for this name only; pages name their icons.
  app.get('/favicon.ico', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=86400').redirect('/icon-192.png', 301),
  );
  await app.register(fastifyStatic, {
    root: folder,
    decorateReply: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    index: false,
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/');
      reply.header(
        'cache-control',
        isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      );
      // A service worker obeys the content policy of its own script; it may load from this site only.
      if (path.includes('service-worker.js')) reply.header('content-security-policy', "default-src 'self'");
    },
  });
}
