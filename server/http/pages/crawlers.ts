import type { FastifyInstance } from 'fastify';
import { sitemapIndex, sitemapOfMonth, sitemapOfPages } from '#server/features/site/sitemap.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/refusal.ts';
import { originOf } from '../host.ts';

const moments = 'public, max-age=0, s-maxage=3';
/** Few, since crawlers are few and a part can have 50,000 rows. */
const mapLimit = { name: 'sitemap', limit: { perNetwork: 600 } };

/** For search engines: robots.txt, and the sitemap in parts. */
export function registerCrawlers(
  app: FastifyInstance,
  context: Context<'db' | 'config'>,
  configured: string | undefined,
): void {
  const xml = 'application/xml; charset=utf-8';

  app.get('/robots.txt', { schema: { hide: true } }, async (request, reply) => {
    reply.type('text/plain; charset=utf-8').header('cache-control', moments);
    return `User-agent: *\nDisallow: /api/\nSitemap: ${originOf(request, configured)}/sitemap.xml\n`;
  });

  app.get('/sitemap.xml', { schema: { hide: true }, config: { limit: mapLimit } }, async (request, reply) => {
    const map = await sitemapIndex(context.db, originOf(request, configured));
    return reply.type(xml).header('cache-control', moments).send(map);
  });

  app.get<{ Params: { part: string } }>(
    '/sitemaps/:part.xml',
    { schema: { hide: true }, config: { limit: mapLimit } },
    async (request, reply) => {
      const origin = originOf(request, configured);
      const { part } = request.params;
      const [, kind, month] = /^(reels|people)-(\d{4}-(?:0[1-9]|1[0-2]))$/.exec(part) ?? [];
      if (part !== 'pages' && !(kind && month)) throw notFound('This part of the sitemap does not exist.');
      const map =
        kind && month
          ? await sitemapOfMonth(context, kind as 'reels' | 'people', month, origin)
          : sitemapOfPages(origin);
      return reply.type(xml).header('cache-control', moments).send(map);
    },
  );
}
