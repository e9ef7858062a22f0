import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  listedKinds,
  sitemapIndex,
  sitemapOfMonth,
  sitemapOfPages,
  sitemapOfTags,
} from '#server/features/site/sitemap.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/refusal.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { sendCached } from '../cache/serve-cached.ts';
import { originOf } from '../host.ts';

const moments = 'public, max-age=0, s-maxage=3';
const partOfMonth = new RegExp(`^(${listedKinds.join('|')})-(\\d{4}-(?:0[1-9]|1[0-2]))$`);
/** Few, since crawlers are few and a part can have 50,000 rows. */
const mapLimit = { name: 'sitemap', limit: { perNetwork: 600 } };

/** For search engines: robots.txt, and the sitemap in parts. */
export function registerCrawlers(
  app: FastifyInstance,
  context: Context<'db' | 'config'>,
  { cache, origin: configured }: { cache: ResponseCache; origin: string | undefined },
): void {
  const headers = {
    'content-type': 'application/xml; charset=utf-8',
    'cache-control': moments,
    vary: 'accept-encoding',
  };
  /** A crawler is never alone: for a second all of them get the same map. */
  async function sendMap(
    request: FastifyRequest,
    reply: FastifyReply,
    address: string,
    render: () => Promise<string>,
  ): Promise<FastifyReply> {
    const map = await cache.get(address, async () => ({
      status: 200,
      headers,
      body: Buffer.from(await render()),
    }));
    return await sendCached(request, reply.headers(map.headers), map);
  }

  app.get('/robots.txt', { schema: { hide: true } }, async (request, reply) => {
    reply.type('text/plain; charset=utf-8').header('cache-control', moments);
    return `User-agent: *\nDisallow: /api/\nSitemap: ${originOf(request, configured)}/sitemap.xml\n`;
  });

  app.get('/sitemap.xml', { schema: { hide: true }, config: { limit: mapLimit } }, async (request, reply) => {
    const origin = originOf(request, configured);
    return await sendMap(request, reply, `${origin}/sitemap.xml`, () => sitemapIndex(context.db, origin));
  });

  app.get<{ Params: { part: string } }>(
    '/sitemaps/:part.xml',
    { schema: { hide: true }, config: { limit: mapLimit } },
    async (request, reply) => {
      const origin = originOf(request, configured);
      const { part } = request.params;
      const [, name, month] = partOfMonth.exec(part) ?? [];
      const kind = listedKinds.find((kind) => kind === name);
      if (!['pages', 'tags'].includes(part) && !(kind && month)) throw notFound('sitemap');
      return await sendMap(request, reply, `${origin}/sitemaps/${part}.xml`, async () => {
        if (kind && month) return await sitemapOfMonth(context, kind, month, origin);
        return part === 'tags' ? await sitemapOfTags(context.db, origin) : sitemapOfPages(origin);
      });
    },
  );
}
