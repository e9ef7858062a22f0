import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallEndpoint } from '#contract/call.ts';
import { pageQuery } from '#contract/page-query.ts';
import { Refusal } from '../platform/refusal.ts';
import { registerFormPosts } from './form-posts.ts';
import { originOf } from './host.ts';
import type { RequestSource } from './in-process.ts';
import type { LoadShedding } from './load-shedding.ts';
import type { Site, Visit } from './page-renderer.ts';
import type { Answer, Kept } from './render-cache.ts';
import { languageIn, type ResponseCaches } from './response-cache.ts';
import { encodeResponse } from './response-encoding.ts';
import type { StaleIfError } from './stale-if-error.ts';

/**
 * Pages the browser renders on are the same for everybody, so any cache may keep them for a moment (decisions §3); not for
 * longer than that, since nearly all of them name people, who may have to be shown to nobody (decision 0029).
 */
const cacheControl = 'public, max-age=0, s-maxage=3';

interface PageOptions extends ResponseCaches {
  origin: string | undefined;
  mediaOrigins: readonly string[];
  /** Visits are counted by a service (web/features/analytics). */
  isMeasured: boolean;
  enterPageQueue: LoadShedding['enterPageQueue'];
  standIns: StaleIfError;
}

/** What its script is loaded from and sends to; allowed only where it is switched on. */
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
  const { orStale } = options.standIns;
  const call = callers();

  async function render(visit: Visit, asWho = call): Promise<Answer> {
    const { status, body, scripts, ...rendered } = await site.render(visit, asWho);
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
   * A page that is kept is there for everybody. Any other waits for its client's turn before it is asked for, so that nobody
   * waits for a page in the turn of somebody else; undefined: whoever asked has left meanwhile.
   */
  async function byTurns(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    make: () => Promise<Answer>,
  ): Promise<Kept | undefined> {
    const getKept = () => cache.get(key, () => orStale(key, make));
    if (cache.has(key)) return await getKept();
    const leave = await options.enterPageQueue(request);
    try {
      return reply.raw.closed ? undefined : await getKept();
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
    const keptLang = site.languages.find((one) => one === chosen);
    const lang = askedLang ?? keptLang ?? pickLanguage(request.headers['accept-language'], site.languages);
    return { visit: { address: address.href, lang, askedLang }, wantedLang, keptLang };
  }

  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return reply
        .code(405)
        .header('allow', 'GET, HEAD')
        .type('text/plain; charset=utf-8')
        .send('This page needs JavaScript for that. Please switch it on, reload the page and try again.');
    const { visit, wantedLang, keptLang } = visitOf(request);
    const { address, lang, askedLang } = visit;
    const key = `page ${lang} ${address}`;
    const kept = await byTurns(request, reply, key, () => render(visit));
    if (!kept) return reply.hijack();
    const page = await kept.answer;
    const { body, encoding } = await encodeResponse(page, request.headers['accept-encoding']);
    if (encoding) reply.header('content-encoding', encoding);
    reply.code(page.status).headers(page.headers);
    // Who comes by an address with a language has chosen it; the answer that says so is theirs alone.
    if (askedLang && askedLang !== keptLang)
      reply
        .header('set-cookie', `lang=${askedLang}; Path=/; Max-Age=31536000; SameSite=Lax`)
        .header('cache-control', 'private');
    else if (askedLang === wantedLang) responseCache.keep(request, reply, kept, body);
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
  const measured = isMeasured ? analyticsHosts : { script: '', report: '' };
  const media = mediaOrigins.map((one) => ` ${one}`).join('');
  return [
    "default-src 'self'",
    `script-src 'self' ${hashes.join(' ')}${measured.script}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${media}${measured.report}`,
    `media-src 'self' blob:${media}`,
    `connect-src 'self'${media}${measured.report}`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    ...(origin.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/** The first language the browser asks for that the site speaks. */
export function pickLanguage(header: string | undefined, spoken: readonly string[]): string {
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
  return wanted.find(({ base }) => spoken.includes(base))?.base ?? spoken[0] ?? 'en';
}
