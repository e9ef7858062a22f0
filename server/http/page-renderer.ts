import { createHash, randomBytes } from 'node:crypto';
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router';
import type { CallEndpoint } from '#contract/call.ts';

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
  /** Renders a page, or its response to a posted form; its loaders use `call` to get data. */
  render(visit: Visit, call: CallEndpoint): Promise<Rendered>;
  close(): Promise<void>;
}

/** Loads the site that `npm run build` made; it renders on this thread. */
export async function loadSite(): Promise<Site & Pick<ServerBuild, 'routes'>> {
  const built = new URL('../../build/server/index.js', import.meta.url);
  const build = (await import(built.href)) as ServerBuild;
  const { languages, pageContextProvider } = build.entry.module as unknown as SiteModule;
  const handle = createRequestHandler(build, 'production');

  return {
    languages,
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
      const { html, hashes } = hashScripts(delayScripts(await response.text()), nonce);
      return { ...head, body: Buffer.from(html), scripts: hashes };
    },
    async close() {},
  };
}

/**
 * Delays the scripts of a page until its text, styles, fonts and first images have arrived and are painted (decision 0024).
 * A slow image or a hidden tab delays them for one second at most. Browsers fetch static imports at once, so these become
 * dynamic imports that run in parallel.
 */
function delayScripts(html: string): string {
  const modules: string[] = [];
  const withoutPreloads = html.replace(
    /<link rel="modulepreload"[^>]* href="([^"]+)"[^>]*>/g,
    (_, href: string) => {
      modules.push(href);
      return '';
    },
  );
  return withoutPreloads.replace(
    /(<script\b[^>]* type="module"[^>]*>)([\s\S]*?)(?=<\/script>)/,
    (_, opening: string, code: string) => opening + delayedScript(code, modules),
  );
}

const staticImport = /^import (?:\* as (\w+) from )?("[^"]+");$/gm;

/**
 * React Router's hydration script with the delay; `modules` are all files that it needs. If they cannot be loaded, a button
 * that was pressed meanwhile (web/ui/pre-hydration-clicks.ts) does its work without scripts.
 */
function delayedScript(code: string, modules: readonly string[]): string {
  const imports = [...code.matchAll(staticImport)];
  return `await new Promise((loaded) => {
  addEventListener("load", loaded);
  setTimeout(loaded, 1000);
});
await new Promise((painted) => {
  requestAnimationFrame(() => setTimeout(painted));
  setTimeout(painted, 1000);
});
for (const href of ${JSON.stringify(modules)})
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
const [${imports.map(([, name = '']) => name).join(', ')}] = await Promise.all([${imports.map(([, , file]) => `import(${file})`).join(', ')}]).catch((error) => {
  document.documentElement.classList.add("taken-over");
  window.pressed?.click();
  throw error;
});
${code.replace(staticImport, '')}`;
}

/** Removes the nonces of the page's own inline scripts and returns their hashes: a nonce must differ per response, so a cached page cannot have one. */
function hashScripts(html: string, nonce: string): { html: string; hashes: string[] } {
  const hashes = new Set<string>();
  const withoutNonces = html.replace(
    /<script\b([^>]*)>([\s\S]*?)<\/script>/g,
    (whole, attributes: string, code: string) => {
      if (!attributes.includes(`nonce="${nonce}"`)) return whole;
      if (code) hashes.add(`'sha256-${createHash('sha256').update(code).digest('base64')}'`);
      return `<script${attributes.replace(` nonce="${nonce}"`, '')}>${code}</script>`;
    },
  );
  return { html: withoutNonces.replaceAll(` nonce="${nonce}"`, ''), hashes: [...hashes] };
}
