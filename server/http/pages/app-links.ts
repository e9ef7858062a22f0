import type { FastifyInstance } from 'fastify';
import { type AppOrigin, appleAssociationOf, assetLinksOf } from '#server/platform/relying-party.ts';

const cached = 'public, max-age=300';

/** Tells phones which apps belong to the site, so that they may ask for its passkeys. Without any there is nothing to tell. */
export function registerAppLinks(app: FastifyInstance, apps: readonly AppOrigin[]): void {
  if (apps.length === 0) return;
  const files = {
    '/.well-known/assetlinks.json': assetLinksOf(apps),
    '/.well-known/apple-app-site-association': appleAssociationOf(apps),
  };
  for (const [path, content] of Object.entries(files))
    app.get(path, { schema: { hide: true } }, async (_request, reply) =>
      reply.type('application/json').header('cache-control', cached).send(JSON.stringify(content)),
    );
}
