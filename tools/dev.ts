import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import closeWithGrace from 'close-with-grace';
import type { ServerBuild } from 'react-router';
import { createServer as startVite } from 'vite';
import { addressOf } from '#contract/address.ts';
import { ApiError } from '#contract/api-error.ts';
import type { CallEndpoint } from '#contract/call.ts';
import type { Failure } from '#contract/failure.ts';
import { readConfig } from '#server/config.ts';
import { pickLanguage } from '#server/http/pages/pages.ts';
import { freePort } from '#server/platform/database/embedded.ts';

/*
 * `npm run dev`: Vite serves the site from its sources, with hot reload, and passes everything else to a server that
 * restarts when one of its files changes. Not for production: there is no content security policy and no cache.
 */
const folder = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const say = (line: string) => process.stdout.write(`${line}\n`);
const { port, host } = readConfig(process.env);

// The server serves the last build on its own port; it may be outdated.
if (!existsSync(folder('build/server/index.js'))) await import('./build.ts');

const api = `http://127.0.0.1:${await freePort()}`;
const watched = ['server', 'contract', 'migrations', 'demo'].map((name) => `--watch-path=${folder(name)}`);
const server = spawn(process.execPath, [...watched, '--watch-preserve-output', folder('server/main.ts')], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...process.env, HOST: '127.0.0.1', PORT: new URL(api).port },
});
const serverEnded = new Promise((resolve) => server.once('exit', resolve));

/** Sends a request to the server; while it restarts, retries for up to 20 seconds. */
async function send(address: string, init?: RequestInit): Promise<Response> {
  for (let retries = 100; ; retries -= 1) {
    try {
      return await fetch(`${api}${address}`, init);
    } catch (error) {
      if (retries === 0) throw error;
      await sleep(200);
    }
  }
}

/** API calls during the rendering of pages. */
const call: CallEndpoint = async (endpoint, ...[input]) => {
  const { body, ...rest } = (input ?? {}) as { body?: unknown };
  const response = await send(addressOf(endpoint, rest), {
    method: endpoint.method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const answer = await response.json();
  if (response.ok) return answer;
  const { code, error, params } = answer as Failure;
  throw new ApiError(response.status, code, error, { ...(params ? { params } : {}) });
};

const http = createServer((request, response) => {
  vite.middlewares(request, response, (error?: unknown) =>
    (error ? Promise.reject(error) : renderPage(request, response)).catch((reason: Error) => {
      vite.ssrFixStacktrace(reason);
      process.stderr.write(`${reason.stack}\n`);
      response.writeHead(500, { 'content-type': 'text/plain' }).end(reason.stack);
    }),
  );
});
const vite = await startVite({
  root: folder('.'),
  appType: 'custom',
  // All dependencies are found before the first page: one that is found later would load React a second time.
  optimizeDeps: { entries: ['web/**/*.{ts,tsx}', '!web/**/*.test.*'] },
  server: {
    middlewareMode: true,
    warmup: { ssrFiles: ['./web/root.tsx', './web/pages/*.tsx'] },
    hmr: { server: http },
    proxy: Object.fromEntries(
      ['/api/', '/media/', '/embed/', '/sitemap', '/robots.txt', '/healthz', '/readyz'].map((path) => [
        path,
        { target: api },
      ]),
    ),
  },
});

interface SiteModule {
  languages: readonly string[];
  pageContextProvider(page: object): never;
}

async function renderPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Vite's copies of the modules: a context works only with the React Router that created it.
  const { createRequestHandler } = (await vite.ssrLoadModule(
    'react-router',
  )) as typeof import('react-router');
  const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild;
  const { languages, pageContextProvider } = build.entry.module as unknown as SiteModule;
  const origin = `http://${request.headers.host}`;
  const address = new URL(request.url ?? '/', origin);
  const known = (lang: string | null | undefined) => languages.find((language) => language === lang) ?? null;
  const askedLang = known(address.searchParams.get('lang'));
  const lang =
    askedLang ??
    known(/(?:^|; )lang=(\w+)/.exec(request.headers.cookie ?? '')?.[1]) ??
    pickLanguage(request.headers['accept-language'], languages);
  const isForm = request.method === 'POST';
  const page = await createRequestHandler(build, 'development')(
    new Request(address, {
      method: request.method ?? 'GET',
      headers: { accept: 'text/html', 'content-type': request.headers['content-type'] ?? '' },
      ...(isForm ? { body: Readable.toWeb(request) as never, duplex: 'half' } : {}),
    } as RequestInit),
    pageContextProvider({ call, nonce: '', origin, lang, askedLang }),
  );
  response.writeHead(page.status, { ...Object.fromEntries(page.headers), 'cache-control': 'no-store' });
  if (page.body) Readable.fromWeb(page.body as never).pipe(response);
  else response.end();
}

await new Promise<void>((resolve) => http.listen(port, host, resolve));
await send('/healthz');
const { port: taken } = http.address() as { port: number };
say(`Jhalak is ready for development at http://localhost:${taken} (API documents at ${api}/api/docs)`);

closeWithGrace({ delay: 30_000, logger: false }, async ({ err }) => {
  if (err) process.stderr.write(`${err.stack}\n`);
  server.kill('SIGTERM');
  await Promise.all([serverEnded, vite.close()]);
  http.closeAllConnections();
});
