import type { FastifyInstance } from 'fastify';
import { type AppOrigin, appleAssociationOf, assetLinksOf } from '#server/platform/relying-party.ts';
import { serveFixed } from '../cache/serve-fixed.ts';

const cached = 'public, max-age=300';

/** Lists the apps that belong to the site for phones, so that they may use its passkeys. Not found without apps. */
export function registerAppLinks(app: FastifyInstance, apps: readonly AppOrigin[]): void {
  if (apps.length === 0) return;
  const files = {
    '/.well-known/assetlinks.json': assetLinksOf(apps),
    '/.well-known/apple-app-site-association': appleAssociationOf(apps),
  };
  for (const [path, content] of Object.entries(files))
    serveFixed(app, {
      path,
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': cached },
      body: () => JSON.stringify(content),
    });
}
