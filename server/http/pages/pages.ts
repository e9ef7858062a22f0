import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallEndpoint } from '#contract/call.ts';
import { pageQuery } from '#contract/page-query.ts';
import type { CachedResponse, RenderedResponse, ResponseCache } from '../cache/response-cache.ts';
import { sendCached } from '../cache/serve-cached.ts';
import { originOf } from '../host.ts';
import type { RequestSource } from '../in-process.ts';
import { languageIn } from '../language-cookie.ts';
import { type LoadShedding, pageRoute } from '../limits/load-shedding.ts';
import { registerFormPosts } from './form-posts.ts';
import type { Site, Visit } from './page-renderer.ts';

/**
 * Pages are the same for everybody, so any cache may store them, but only for seconds (decisions §3): nearly all of them show people's
 * content, which may have to disappear quickly (decision 0029).
 */
const cacheControl = 'public, max-age=0, s-maxage=3';

interface PageOptions {
  cache: ResponseCache;
  origin: string | undefined;
  mediaOrigins: readonly string[];
  /** Whether visits are reported to an analytics service (web/features/analytics). */
  isMeasured: boolean;
  enterPageQueue: LoadShedding['enterPageQueue'];
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
  const { cache } = options;
  const isKnown = pathMatcher(site.paths);
  const call = callers();

  async function render(visit: Visit, callEndpoint = call): Promise<RenderedResponse> {
    const { status, body, scripts, ...rendered } = await site.render(visit, callEndpoint);
    const headers = { ...rendered.headers };
    if (scripts) {
      headers['content-security-policy'] = policy(scripts, new URL(visit.address).origin, options);
      headers.vary = 'accept-language, accept-encoding, cookie';
      if (status === 200) headers['cache-control'] ??= cacheControl;
      if (status === 503) headers['retry-after'] = '2';
    }
    return { status, headers, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) };
  }

  /**
   * Returns a cached page at once. A page that must be rendered waits in the fair queue first, so that each client waits
   * for its own turn. Undefined if the client has disconnected in the meantime.
   */
  async function getPage(
    request: FastifyRequest,
    reply: FastifyReply,
    { visit, isUnknown }: { visit: Visit; isUnknown: boolean },
  ): Promise<CachedResponse | undefined> {
    const key = keyOf(visit);
    const get = () => cache.get(key, () => render(visit), { isPage: true, isUnknown });
    if (cache.has(key)) return await get();
    const leave = await options.enterPageQueue(request);
    try {
      return reply.raw.closed ? undefined : await get();
    } finally {
      leave();
    }
  }

  /** What a page depends on. It is computed for each request, also for those served from the cache, so it parses no URL. */
  function visitOf(request: FastifyRequest) {
    const [asked, given] = splitUrl(request.url);
    const isUnknown = !isKnown(asked);
    const path = isUnknown ? unknownPath : asked;
    // Creating URLSearchParams costs as much as finding the cache entry.
    const query = given ? new URLSearchParams(pageQuery(path, given)) : undefined;
    const wantedLang = query?.get('lang');
    const askedLang = site.languages.find((language) => language === wantedLang) ?? null;
    if (!askedLang) query?.delete('lang');
    const address = `${originOf(request, options.origin)}${path}${query?.size ? `?${query}` : ''}`;
    const chosen = languageIn(request.headers.cookie);
    const cookieLang = site.languages.find((language) => language === chosen);
    const lang = askedLang ?? cookieLang ?? pickLanguage(request.headers['accept-language'], site.languages);
    // A language in the URL is stored in a cookie, so that response is for one visitor only.
    const setsCookie = askedLang !== null && askedLang !== cookieLang;
    return { visit: { address, lang, askedLang }, isUnknown, setsCookie };
  }

  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const { visit, isUnknown, setsCookie } = visitOf(request);
    if (isUnknown && !isForReader(request))
      return reply
        .code(404)
        .headers({ 'content-type': 'text/plain; charset=utf-8', vary: 'accept-encoding, sec-fetch-dest' })
        .send('Not found\n');
    const page = await getPage(request, reply, { visit, isUnknown });
    if (!page) return reply.hijack();
    reply.code(page.status).headers(page.headers);
    if (setsCookie)
      reply
        .header('set-cookie', `lang=${visit.lang}; Path=/; Max-Age=31536000; SameSite=Lax`)
        .header('cache-control', page.headers['cache-control'] === 'no-store' ? 'no-store' : 'private');
    return await sendCached(request, reply, page, !setsCookie);
  };
  const cacheKey = (request: FastifyRequest) => {
    // The handler refuses a request without a host.
    if (options.origin === undefined && request.headers.host === undefined) return undefined;
    const { visit, isUnknown, setsCookie } = visitOf(request);
    if (isUnknown && !isForReader(request)) return undefined;
    return setsCookie ? undefined : keyOf(visit);
  };
  app.get(pageRoute, { schema: { hide: true }, compress: false, config: { cacheKey } }, serve);
  app.setNotFoundHandler(async (request, reply) => {
    // A file that does not exist.
    if (request.method === 'GET' || request.method === 'HEAD') return await serve(request, reply);
    return reply
      .code(405)
      .header('allow', 'GET, HEAD')
      .type('text/plain; charset=utf-8')
      .send('This page needs JavaScript for that. Please switch it on, reload the page and try again.');
  });

  registerFormPosts(app, options.origin, async (request, reply, body) => {
    const sender = {
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      onListsChanged: () => cache.expireAll(),
    };
    const page = await render({ ...visitOf(request).visit, form: body }, callers(sender));
    return reply
      .code(page.status)
      .headers({ ...page.headers, 'cache-control': 'no-store' })
      .send(page.body);
  });
}

/** All addresses without a page have the page of this one. */
const unknownPath = '/-';

/** Whether one of the pages has the path. Data that React Router requests for a page, and its manifest, count as known. */
function pathMatcher(paths: readonly string[]): (path: string) => boolean {
  const patterns = paths.map((path) => path.replaceAll(/:[^/]+/g, '[^/]+'));
  const known = new RegExp(`^/+(?:(?:${patterns.join('|')})/*)?$|\\.data$|^/__manifest`, 'i');
  return (path) => known.test(path.includes('%') ? decodeURI(path) : path);
}

/**
 * Whether a person may read the page for this unknown address: programs look for files, such as `/wp-login.php` or `/.env`, and get a short
 * response. A browser says when it opens a document.
 */
function isForReader({ url, headers }: FastifyRequest): boolean {
  const [path] = splitUrl(url);
  return headers['sec-fetch-dest'] === 'document' || !/\/\.|\.[^/]*$/.test(path);
}

const keyOf = ({ lang, address }: Visit) => `page ${lang} ${address}`;

function policy(
  hashes: string[],
  origin: string,
  { mediaOrigins, isMeasured }: Pick<PageOptions, 'mediaOrigins' | 'isMeasured'>,
): string {
  const analytics = isMeasured ? analyticsHosts : { script: '', report: '' };
  const media = mediaOrigins.map((origin) => ` ${origin}`).join('');
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

function splitUrl(url: string): [path: string, query: string] {
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

/** The visitor's most preferred language that the site has. */
export function pickLanguage(header = '', available: readonly string[]): string {
  const [first = '', ...others] = header.split(',');
  // Nothing is preferred to an entry without a weight, so most headers need not be read further.
  if (!first.includes(';') && available.includes(baseOf(first))) return baseOf(first);
  const wanted = [first, ...others]
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';');
      const weight = parameters.find((parameter) => parameter.trim().startsWith('q='));
      return { base: baseOf(tag), q: weight ? Number(weight.trim().slice(2)) : 1 };
    })
    .sort((a, b) => b.q - a.q);
  return wanted.find(({ base }) => available.includes(base))?.base ?? available[0] ?? 'en';
}

const baseOf = (tag: string) => tag.trim().split('-')[0]?.toLowerCase() ?? '';
