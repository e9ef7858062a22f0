import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const yearInSeconds = 365 * 24 * 60 * 60;

/**
 * Stored media: immutable under unguessable names, with ranges, and inert: whatever a file turns out to hold, a browser
 * that opens it runs nothing (decisions §7).
 */
export async function registerMedia(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, { root: folder, serve: false, index: false });
  app.get<{ Params: { key: string; file: string } }>(
    '/media/:key/:file',
    { schema: { hide: true }, helmet: false, compress: false },
    async (request, reply) => {
      const { key, file } = request.params;
      if (!/^[0-9a-f]{32}$/.test(key) || !/^[a-z0-9-]+\.[a-z0-9]+$/.test(file)) return reply.callNotFound();
      reply.headers({
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
      });
      return reply.sendFile(`${key.slice(0, 2)}/${key}/${file}`, {
        maxAge: yearInSeconds * 1000,
        immutable: true,
      });
    },
  );
}
