import type { FastifyInstance } from 'fastify';
import { crowd } from '#contract/endpoint.ts';
import { id } from '#contract/fields.ts';
import { isolated } from '#contract/text-direction.ts';
import { showReel } from '#server/features/reels/reels.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/refusal.ts';
import { escapeHtml } from '../api/docs-page.ts';
import { originOf } from '../host.ts';

interface EmbedOptions {
  origin: string | undefined;
  /** The other hosts that serve files. */
  mediaOrigins: readonly string[];
}

const limit = { name: 'embed', limit: { perNetwork: crowd } };

/**
 * A public reel with the browser's own controls, for cards on other sites: the only page that other sites may frame. It runs no script,
 * reads no session and links only to the reel's own page, so that clickjacking gains nothing.
 */
export function registerEmbed(
  app: FastifyInstance,
  context: Context<'db' | 'config'>,
  { origin: configured, mediaOrigins }: EmbedOptions,
): void {
  const media = ["'self'", ...mediaOrigins].join(' ');
  const policy = [
    "default-src 'none'",
    `media-src ${media}`,
    `img-src ${media}`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join('; ');

  app.get<{ Params: { id: string } }>(
    '/embed/:id',
    { schema: { hide: true }, config: { limit } },
    async (request, reply) => {
      const parsed = id.safeParse(request.params.id);
      if (!parsed.success) throw notFound('reel');
      const reel = await showReel(context, parsed.data, undefined);
      const page = `${originOf(request, configured)}/videoplayer?reel=${reel._id}`;
      const words = isolated(reel.caption || `@${reel.username}`);
      return reply
        .type('text/html; charset=utf-8')
        .removeHeader('x-frame-options')
        .headers({
          'cache-control': 'public, max-age=0, s-maxage=3',
          'content-security-policy': policy,
          'cross-origin-resource-policy': 'cross-origin',
        })
        .send(`<!doctype html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>${escapeHtml(words)}</title><link rel="canonical" href="${escapeHtml(page)}"><style>${style}</style></head>
<body><video controls playsinline loop preload="metadata" src="${escapeHtml(reel.videourl)}" poster="${escapeHtml(reel.posterurl)}" \
width="${reel.width}" height="${reel.height}" aria-label="${escapeHtml(words)}"></video>
<a href="${escapeHtml(page)}" target="_blank" rel="noopener"><bdi>@${escapeHtml(reel.username)}</bdi> · Jhalak</a></body></html>
`);
    },
  );
}

const style = `html,body{height:100%;margin:0;background:#0b0920}video{width:100%;height:100%;object-fit:contain}
a{position:absolute;top:0;left:0;padding:.6rem .8rem;font:600 14px/1.4 system-ui,sans-serif;color:#fff;text-shadow:0 1px 3px #000}`;
