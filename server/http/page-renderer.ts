import { createHash, randomBytes } from 'node:crypto';
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router';
import type { CallEndpoint } from '#contract/call.ts';

/** What a page's loader gets from the server (`web/server-context.ts`). */
interface PageContext {
  call: CallEndpoint;
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

export interface Visit {
  /** With what the page reads alone: neither what is rendered nor what is kept of it knows of anything else. */
  address: string;
  lang: string;
  askedLang: string | null;
  /** A form that was sent to the page, as it came. */
  form?: string;
}

export interface Rendered {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  /** Of a page: the hashes of its own inline scripts, as its policy names them. */
  scripts?: string[];
}

export interface Site {
  languages: readonly string[];
  /** A page as everybody gets it, or what it answers to its form; `call` is what its loaders ask with. */
  render(visit: Visit, call: CallEndpoint): Promise<Rendered>;
  close(): Promise<void>;
}

/** The site as `npm run build` left it, rendered on this thread. */
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
      const answered = { status, headers: Object.fromEntries(response.headers) };
      const isHtml = response.headers.get('content-type')?.startsWith('text/html') ?? false;
      if (!isHtml) return { ...answered, body: new Uint8Array(await response.arrayBuffer()) };
      const { html, hashes } = sealScripts(scriptsLast(await response.text()), nonce);
      return { ...answered, body: Buffer.from(html), scripts: hashes };
    },
    async close() {},
  };
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
 * not come, the button that was pressed meanwhile (web/ui/pre-hydration-clicks.ts) does what it does without a script.
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
