import { randomBytes } from 'node:crypto';
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router';
import type { CallEndpoint } from '#contract/call.ts';
import { prepareScripts } from './page-scripts.ts';

/** What the server passes to the loader of a page (`web/server-context.ts`). */
interface PageContext {
  call: CallEndpoint;
  /** Marks the page's own inline scripts; before the page is sent, hashes of these scripts replace it. */
  nonce: string;
  /** Scheme and host of the site, for canonical links. */
  origin: string;
  lang: string;
  /** The language in the URL (`?lang=hi`). */
  askedLang: string | null;
}

interface SiteModule {
  pageContextProvider(page: PageContext): RouterContextProvider;
  languages: readonly string[];
}

export interface Visit {
  /** The URL with only the query parameters that the page reads, so that others change neither the page nor its cache key. */
  address: string;
  lang: string;
  askedLang: string | null;
  /** The body of a form that was posted to the page. */
  form?: string;
}

export interface Rendered {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  /** For HTML: hashes of the page's own inline scripts, for its content security policy. */
  scripts?: string[];
}

export interface Site {
  languages: readonly string[];
  /** Paths of the pages, such as `user/:id`. */
  paths: readonly string[];
  /** Renders a page, or its response to a posted form; its loaders use `call` to get data. */
  render(visit: Visit, call: CallEndpoint): Promise<Rendered>;
  close(): Promise<void>;
}

/** Loads the site built by `npm run build`; it renders on this thread. */
export async function loadSite(): Promise<Site & Pick<ServerBuild, 'routes'>> {
  const built = new URL('../../../build/server/index.js', import.meta.url);
  const build = (await import(built.href)) as ServerBuild;
  const { languages, pageContextProvider } = build.entry.module as unknown as SiteModule;
  const handle = createRequestHandler(build, 'production');

  const paths = Object.values(build.routes).flatMap((route) =>
    route?.path && route.path !== '*' ? [route.path] : [],
  );

  return {
    languages,
    paths,
    routes: build.routes,
    async render({ address, lang, askedLang, form }, call) {
      const { origin } = new URL(address);
      const nonce = randomBytes(16).toString('base64');
      const context = pageContextProvider({ call, nonce, origin, lang, askedLang });
      const headers = { accept: 'text/html' };
      const request =
        form === undefined
          ? new Request(address, { headers })
          : new Request(address, {
              method: 'POST',
              headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
              body: form,
            });
      const response = await handle(request, context);
      const { status } = response;
      const head = { status, headers: Object.fromEntries(response.headers) };
      const isHtml = response.headers.get('content-type')?.startsWith('text/html') ?? false;
      if (!isHtml) return { ...head, body: new Uint8Array(await response.arrayBuffer()) };
      const { html, hashes } = prepareScripts(await response.text(), nonce);
      return { ...head, body: Buffer.from(html), scripts: hashes };
    },
    async close() {},
  };
}
