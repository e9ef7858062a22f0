import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { embedLine, titleOf } from '#contract/embed-code.ts';
import { crowd } from '#contract/endpoint.ts';
import { escapeHtml } from '#contract/escape-html.ts';
import { id } from '#contract/fields.ts';
import { type Language, language } from '#contract/languages.ts';
import type { Reel } from '#contract/reels.ts';
import type { WorkLabel } from '#contract/site-rules.ts';
import { showReel } from '#server/features/reels/reels.ts';
import type { Context } from '#server/platform/context.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { sendCached } from '../cache/serve-cached.ts';
import { originOf } from '../host.ts';

interface EmbedOptions {
  cache: ResponseCache;
  origin: string | undefined;
  /** The other hosts that serve files. */
  mediaOrigins: readonly string[];
}

const limit = { name: 'embed', limit: { perNetwork: crowd } };

/** The messages of the site are not loaded here. */
const words: Record<Language, { watch: string; gone: string } & Record<WorkLabel, string>> = {
  en: {
    watch: 'Watch on Jhalak',
    gone: "This reel isn't available",
    disturbing: 'May be disturbing',
    altered: 'Made or altered by a machine',
  },
  hi: {
    watch: 'झलक पर देखें',
    gone: 'यह रील उपलब्ध नहीं है',
    disturbing: 'विचलित कर सकता है',
    altered: 'मशीन से बनाया या बदला गया',
  },
};

/**
 * A public reel with the browser's own controls, for other sites: the only page that they may frame. It runs no script, reads no session,
 * sets no cookie and counts nothing. Its links open pages of their own, so that clickjacking gains nothing.
 */
export function registerEmbed(
  app: FastifyInstance,
  context: Context<'db' | 'config'>,
  { cache, origin: configured, mediaOrigins }: EmbedOptions,
): void {
  const media = ["'self'", ...mediaOrigins].join(' ');
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    // Other caches must revalidate it at every request: it has to be gone within a second after the reel.
    'cache-control': 'public, max-age=0, must-revalidate',
    'content-security-policy': [
      "default-src 'none'",
      `media-src ${media}`,
      `img-src ${media}`,
      `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
      "base-uri 'none'",
      "form-action 'none'",
      'frame-ancestors *',
    ].join('; '),
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'accept-encoding',
  };

  app.get<{ Params: { id: string }; Querystring: { lang?: unknown } }>(
    '/embed/:id',
    { schema: { hide: true }, compress: false, config: { limit } },
    async (request, reply) => {
      const origin = originOf(request, configured);
      const lang = language.safeParse(request.query.lang).data ?? 'en';
      const page = await cache.get(`embed ${lang} ${origin} ${request.params.id}`, async () => {
        const reel = await reelOrNothing(context, request.params.id);
        const body = reel ? pageOf(reel, origin, lang) : pageOfNothing(origin, lang);
        return { status: reel ? 200 : 404, headers, body: Buffer.from(body) };
      });
      reply.code(page.status).removeHeader('x-frame-options').headers(page.headers);
      return await sendCached(request, reply, page);
    },
  );
}

async function reelOrNothing(context: Context<'db' | 'config'>, asked: string): Promise<Reel | undefined> {
  if (!id.safeParse(asked).success) return undefined;
  try {
    return await showReel(context, asked, undefined);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined;
    throw error;
  }
}

function pageOf(reel: Reel, origin: string, lang: Language): string {
  const address = `${origin}/videoplayer?reel=${reel._id}`;
  const name = escapeHtml(titleOf(reel));
  const sources = reel.renditions.map(
    // The smallest that is as wide as the frame; `videourl` is the last.
    ({ url, width }, index, { length }) =>
      `<source src="${escapeHtml(url)}"${index < length - 1 ? ` media="(max-width:${width}px)"` : ''}>`,
  );
  const names = new Intl.DisplayNames(lang, { type: 'language' });
  const tracks = reel.captionTracks.map(
    ({ url, language: tag }) =>
      `<track kind="captions" src="${escapeHtml(url)}" srclang="${tag}" label="${escapeHtml(names.of(tag) ?? tag)}">`,
  );
  // Captions from another host are only loaded with CORS.
  const cors = reel.captionTracks.some(({ url }) => !url.startsWith('/')) ? ' crossorigin' : '';
  return document(
    { title: name, lang, canonical: address },
    `<video controls playsinline loop preload="none" poster="${escapeHtml(reel.posterurl)}" width="${reel.width}" height="${reel.height}" \
aria-label="${name}"${cors}>${sources.join('')}${tracks.join('')}</video>
<h1>${link(`${origin}/user/${reel.userId}`, `<bdi>@${escapeHtml(reel.username)}</bdi>`)}</h1>
${reel.label ? `<p>${words[lang][reel.label]}</p>` : ''}${link(address, `${mark}<span>${words[lang].watch}</span>`)}`,
  );
}

function pageOfNothing(origin: string, lang: Language): string {
  const { gone } = words[lang];
  return document(
    { title: gone, lang },
    `<h1 class="gone">${gone}</h1>${link(`${origin}/`, `${mark}<span>Jhalak</span>`)}`,
  );
}

const link = (href: string, inside: string) =>
  `<a href="${escapeHtml(href)}" target="_blank" rel="noopener">${inside}</a>`;

function document(
  { title, lang, canonical }: { title: string; lang: Language; canonical?: string },
  main: string,
): string {
  return `<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>${title}</title>${canonical ? `<link rel="canonical" href="${escapeHtml(canonical)}">` : ''}<style>${style}</style></head>
<body><main>${main}</main></body></html>
`;
}

/** The logo of the site (web/features/chrome/mark.tsx) in few bytes. */
const mark =
  '<svg aria-hidden="true" viewBox="0 0 64 64"><rect width="64" height="64" rx="17" fill="#251c62"/><path fill="#f9ab10" d="M34 0h14L30 64H16z"/></svg>';

const style = `:root{color-scheme:light dark;--ground:#fbf7ef;--text:#17123a;--focus:#4b3bc4}
@media(prefers-color-scheme:dark){:root{--ground:#110d2b;--text:#f8f3e9;--focus:#ffc352}}
*{box-sizing:border-box}html,body,main{height:100%;margin:0}
main{display:grid;grid-template:minmax(0,1fr) ${embedLine}px/minmax(0,1fr) auto;background:var(--ground);color:var(--text);\
font:600 15px/1.4 system-ui,sans-serif}
video{grid-area:1/1/2/3;width:100%;height:100%;background:#0b0920}
p{grid-area:1/1/2/3;place-self:start;position:relative;margin:8px;padding:2px 10px;border-radius:8px;background:#0b0920cc;color:#f8f3e9;pointer-events:none}
h1{min-width:0;margin:0;font:inherit}.gone{place-self:center;grid-column:1/3;padding:0 12px;text-align:center}
a{display:flex;align-items:center;gap:8px;height:${embedLine}px;padding:0 12px;color:inherit;text-decoration:none;white-space:nowrap}
a:hover{text-decoration:underline}a:focus-visible{outline:3px solid var(--focus);outline-offset:-3px}
h1 a{display:block;line-height:${embedLine}px;overflow:hidden;text-overflow:ellipsis}h1~a{grid-column:2}
svg{width:24px;height:24px;flex:none}
@media(max-width:260px){a span{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}}`;
