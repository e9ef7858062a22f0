import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router';
import type { Caller } from '../../contract/call.ts';
import { pageQuery } from '../../contract/page-query.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Answer, Kept } from './answer-cache.ts';
import { encodeAnswer } from './answer-encoding.ts';
import { registerFormPosts } from './form-posts.ts';
import { originOf } from './host.ts';
import type { Sender } from './in-process.ts';
import type { Turns } from './overload.ts';
import { type Keeping, languageIn } from './response-cache.ts';
import type { StandIns } from './stale-if-error.ts';

/** What a page's loader gets from the server (`web/server-context.ts`). */
export interface PageContext {
  call: Caller;
  /** Put on every script the page itself writes; replaced by the script's hash before the page leaves. */
  nonce: string;
  /** Scheme and host of the site, for canonical links. */
  origin: string;
  lang: string;
  /** The language that the address itself asks for (`?lang=hi`). */
  askedLang: string | null;
}

interface SiteModule {
  pageContextProvider(page: PageContext): RouterContextProvider;
  languages: readonly string[];
}

/** The site as `npm run build` left it. */
export async function loadSite(): Promise<ServerBuild> {
  const built = new URL('../../build/server/index.js', import.meta.url);
  return (await import(built.href)) as ServerBuild;
}

/**
 * Pages the browser renders on are the same for everybody, so any cache may keep them for a moment (decisions §3); not for
 * longer than that, since nearly all of them name people, who may have to be shown to nobody (decision 0029).
 */
const cacheControl = 'public, max-age=0, s-maxage=3';

interface PageOptions {
  origin: string | undefined;
  mediaOrigins: readonly string[];
  /** Visits are counted by a service (web/features/analytics). */
  isMeasured: boolean;
  enterPages: Turns['enterPages'];
  standIns: StandIns;
}

/** What its script is loaded from and sends to; allowed only where it is switched on. */
const analyticsHosts = {
  script: ' https://www.googletagmanager.com',
  report: ' https://www.googletagmanager.com https://*.google-analytics.com https://*.analytics.google.com',
};

/** Serves every page of the site from its built bundle. */
export function registerPages(
  app: FastifyInstance,
  build: ServerBuild,
  callers: (sender?: Sender) => Caller,
  { cache, responseCache }: Keeping,
  options: PageOptions,
): void {
  const site = build.entry.module as unknown as SiteModule;
  const handle = createRequestHandler(build, 'production');
  const { orStale } = options.standIns;
  const call = callers();

  interface Visit {
    /** With what the page reads alone: neither what is rendered nor what is kept of it knows of anything else. */
    address: URL;
    lang: string;
    askedLang: string | null;
  }

  /** A page as everybody gets it, or what it answers to its form. */
  async function render({ address, lang, askedLang }: Visit, form?: { body: string; call: Caller }) {
    const { origin } = address;
    const nonce = randomBytes(16).toString('base64');
    const context = site.pageContextProvider({ call: form?.call ?? call, nonce, origin, lang, askedLang });
    const request = form
      ? new Request(address, {
          method: 'POST',
          headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
          body: form.body,
        })
      : new Request(address, { headers: { accept: 'text/html' } });
    const response = await handle(request, context);
    const headers = Object.fromEntries(response.headers);
    const isHtml = response.headers.get('content-type')?.startsWith('text/html') ?? false;
    if (!isHtml) return { status: response.status, headers, body: Buffer.from(await response.arrayBuffer()) };
    const { html, hashes } = sealScripts(scriptsLast(await response.text()), nonce);
    headers['content-security-policy'] = policy(hashes, origin, options);
    headers.vary = 'accept-language, accept-encoding, cookie';
    if (response.status === 200) headers['cache-control'] = cacheControl;
    if (response.status === 503) headers['retry-after'] = '2';
    return { status: response.status, headers, body: Buffer.from(html) } satisfies Answer;
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
    const leave = await options.enterPages(request, reply);
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
    return { address, lang, askedLang, wantedLang, keptLang };
  }

  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return reply
        .code(405)
        .header('allow', 'GET, HEAD')
        .type('text/plain; charset=utf-8')
        .send('This page needs JavaScript for that. Please switch it on, reload the page and try again.');
    const visit = visitOf(request);
    const { address, lang, askedLang, wantedLang, keptLang } = visit;
    const key = `page ${lang} ${address.href}`;
    const kept = await byTurns(request, reply, key, () => render(visit));
    if (!kept) return reply.hijack();
    const page = await kept.answer;
    const { body, encoding } = await encodeAnswer(page, request.headers['accept-encoding']);
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
      onListsChanged: () => cache.outdate(),
    };
    const page = await render(visitOf(request), { body, call: callers(sender) });
    return reply
      .code(page.status)
      .headers({ ...page.headers, 'cache-control': 'no-store' })
      .send(page.body);
  });
}

/**
 * What a page is read by (its words, look, letters and first pictures) arrives and is painted before what makes it move is
 * asked for (decision 0024); a picture that does not come, and a page that is not looked at, each hold that up for no more
 * than a second. Static imports would be asked for before anything can wait: they become dynamic ones, all begun at once.
 */
function scriptsLast(html: string): string {
  const ahead: string[] = [];
  const still = html.replace(/<link rel="modulepreload"[^>]* href="([^"]+)"[^>]*>/g, (_, href: string) => {
    ahead.push(href);
    return '';
  });
  return still.replace(
    /(<script\b[^>]* type="module"[^>]*>)([\s\S]*?)(?=<\/script>)/,
    (_, opening: string, code: string) => opening + waiting(code, ahead),
  );
}

const staticImport = /^import (?:\* as (\w+) from )?("[^"]+");$/gm;

/**
 * React Router's script that takes a page over, made to wait; `ahead` are all files that it will come to need. Where they do
 * not come, the button that was pressed meanwhile (web/ui/early-press.ts) does what it does without a script.
 */
function waiting(code: string, ahead: readonly string[]): string {
  const imports = [...code.matchAll(staticImport)];
  return `await new Promise((loaded) => {
  addEventListener("load", loaded);
  setTimeout(loaded, 1000);
});
await new Promise((painted) => {
  requestAnimationFrame(() => setTimeout(painted));
  setTimeout(painted, 1000);
});
for (const href of ${JSON.stringify(ahead)})
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
const [${imports.map(([, name = '']) => name).join(', ')}] = await Promise.all([${imports.map(([, , file]) => `import(${file})`).join(', ')}]).catch((error) => {
  document.documentElement.classList.add("taken-over");
  window.pressed?.click();
  throw error;
});
${code.replace(staticImport, '')}`;
}

/** Replaces the nonce of the page's own inline scripts by their hashes: the page can be cached and stays strict. */
function sealScripts(html: string, nonce: string): { html: string; hashes: string[] } {
  const hashes = new Set<string>();
  const sealed = html.replace(
    /<script\b([^>]*)>([\s\S]*?)<\/script>/g,
    (whole, attributes: string, code: string) => {
      if (!attributes.includes(`nonce="${nonce}"`)) return whole;
      if (code) hashes.add(`'sha256-${createHash('sha256').update(code).digest('base64')}'`);
      return `<script${attributes.replace(` nonce="${nonce}"`, '')}>${code}</script>`;
    },
  );
  return { html: sealed.replaceAll(` nonce="${nonce}"`, ''), hashes: [...hashes] };
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
