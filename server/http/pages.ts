import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallEndpoint } from '#contract/call.ts';
import { pageQuery } from '#contract/page-query.ts';
import { Refusal } from '../platform/refusal.ts';
import { registerFormPosts } from './form-posts.ts';
import { originOf } from './host.ts';
import type { RequestSource } from './in-process.ts';
import type { LoadShedding } from './load-shedding.ts';
import type { Site, Visit } from './page-renderer.ts';
import type { CacheEntry, RenderedResponse } from './render-cache.ts';
import { languageIn, type ResponseCaches } from './response-cache.ts';
import { encodeResponse } from './response-encoding.ts';
import type { StaleIfError } from './stale-if-error.ts';

/**
 * Pages are the same for everybody, so any cache may keep them, but only for seconds (decisions §3): nearly all of them show
 * people's content, which may have to disappear quickly (decision 0029).
 */
const cacheControl = 'public, max-age=0, s-maxage=3';

interface PageOptions extends ResponseCaches {
  origin: string | undefined;
  mediaOrigins: readonly string[];
  /** Whether visits are reported to an analytics service (web/features/analytics). */
  isMeasured: boolean;
  enterPageQueue: LoadShedding['enterPageQueue'];
  staleIfError: StaleIfError;
}

/** Hosts that the analytics script is loaded from and reports to; allowed only if analytics is on. */
const analyticsHosts = {
  script: ' https://www.googletagmanager.com',
  report: ' https://www.googletagmanager.com https://*.google-analytics.com https://*.analytics.google.com',
};

/** Serves every page of the site from its built bundle. */
export function registerPages(
  app: FastifyInstance,
  site: Site,
  callers: (sender?: RequestSource) => CallEndpoint,
  options: PageOptions,
): void {
  const { cache, responseCache } = options;
  const { orStale } = options.staleIfError;
  const call = callers();

  async function render(visit: Visit, callEndpoint = call): Promise<RenderedResponse> {
    const { status, body, scripts, ...rendered } = await site.render(visit, callEndpoint);
    const headers = { ...rendered.headers };
    if (scripts) {
      headers['content-security-policy'] = policy(scripts, new URL(visit.address).origin, options);
      headers.vary = 'accept-language, accept-encoding, cookie';
      if (status === 200) headers['cache-control'] = cacheControl;
      if (status === 503) headers['retry-after'] = '2';
    }
    return { status, headers, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) };
  }

  /**
   * Returns a cached page at once. A page that must be rendered waits in the fair queue first, so that each client waits
   * for its own turn. Undefined if the client has disconnected meanwhile.
   */
  async function getPage(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    renderPage: () => Promise<RenderedResponse>,
  ): Promise<CacheEntry | undefined> {
    const getEntry = () => cache.get(key, () => orStale(key, renderPage));
    if (cache.has(key)) return await getEntry();
    const leave = await options.enterPageQueue(request);
    try {
      return reply.raw.closed ? undefined : await getEntry();
    } finally {
      leave();
    }
  }

  function visitOf(request: FastifyRequest) {
    const address = URL.parse(`${originOf(request, options.origin)}${request.url}`);
    if (!address) throw new Refusal('invalid_input', 'This address could not be read.');
    address.search = pageQuery(address.pathname, address.search);
    const wantedLang = address.searchParams.get('lang');
    const askedLang = site.languages.find((one) => one === wantedLang) ?? null;
    if (!askedLang) address.searchParams.delete('lang');
    const chosen = languageIn(request.headers.cookie ?? '');
    const cookieLang = site.languages.find((one) => one === chosen);
    const lang = askedLang ?? cookieLang ?? pickLanguage(request.headers['accept-language'], site.languages);
    return { visit: { address: address.href, lang, askedLang }, wantedLang, cookieLang };
  }

  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return reply
        .code(405)
        .header('allow', 'GET, HEAD')
        .type('text/plain; charset=utf-8')
        .send('This page needs JavaScript for that. Please switch it on, reload the page and try again.');
    const { visit, wantedLang, cookieLang } = visitOf(request);
    const { address, lang, askedLang } = visit;
    const key = `page ${lang} ${address}`;
    const entry = await getPage(request, reply, key, () => render(visit));
    if (!entry) return reply.hijack();
    const page = await entry.response;
    const { body, encoding } = await encodeResponse(page, request.headers['accept-encoding']);
    if (encoding) reply.header('content-encoding', encoding);
    reply.code(page.status).headers(page.headers);
    // A language in the URL is stored in a cookie, so this response is for one visitor only.
    if (askedLang && askedLang !== cookieLang)
      reply
        .header('set-cookie', `lang=${askedLang}; Path=/; Max-Age=31536000; SameSite=Lax`)
        .header('cache-control', 'private');
    else if (askedLang === wantedLang) responseCache.store(request, reply, entry, body);
    return reply.send(body);
  };
  app.setNotFoundHandler(serve);

  registerFormPosts(app, options.origin, async (request, reply, body) => {
    const sender = {
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      onListsChanged: () => cache.evictAll(),
    };
    const page = await render({ ...visitOf(request).visit, form: body }, callers(sender));
    return reply
      .code(page.status)
      .headers({ ...page.headers, 'cache-control': 'no-store' })
      .send(page.body);
  });
}

function policy(
  hashes: string[],
  origin: string,
  { mediaOrigins, isMeasured }: Pick<PageOptions, 'mediaOrigins' | 'isMeasured'>,
): string {
  const analytics = isMeasured ? analyticsHosts : { script: '', report: '' };
  const media = mediaOrigins.map((one) => ` ${one}`).join('');
  return [
    "default-src 'self'",
    `script-src 'self' ${hashes.join(' ')}${analytics.script}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${media}${analytics.report}`,
    `media-src 'self' blob:${media}`,
    `connect-src 'self'${media}${analytics.report}`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    ...(origin.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/** The visitor's most preferred language that the site has. */
export function pickLanguage(header: string | undefined, available: readonly string[]): string {
  const wanted = (header ?? '')
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.trim().split(';');
      const weight = parameters.find((one) => one.trim().startsWith('q='));
      return {
        base: tag.trim().split('-')[0]?.toLowerCase() ?? '',
        q: weight ? Number(weight.trim().slice(2)) : 1,
      };
    })
    .sort((a, b) => b.q - a.q);
  return wanted.find(({ base }) => available.includes(base))?.base ?? available[0] ?? 'en';
}
