import devanagari from '@fontsource-variable/anek-devanagari/files/anek-devanagari-devanagari-wght-normal.woff2?url';
import { renderToReadableStream } from 'react-dom/server';
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router';
import { NonceContext } from './nonce.ts';
import { pageContext } from './server-context.ts';

export { languages } from './messages/catalogues.ts';
export { pageContextProvider } from './server-context.ts';

/** Renders the whole page before the response starts, because caches store it and readers see it before any script runs. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
) {
  headers.set('Content-Type', 'text/html; charset=utf-8');
  if (request.method === 'HEAD') return new Response(null, { status, headers });

  const { nonce, lang } = context.get(pageContext);
  let failure: unknown;
  const body = await renderToReadableStream(
    <NonceContext value={nonce}>
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
    </NonceContext>,
    {
      nonce,
      // The page is sent complete, so no script has to insert parts of it later.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError(error) {
        failure ??= error;
      },
    },
  );
  await body.allReady;
  if (failure) throw failure;
  const html = await new Response(body).text();
  if (lang === 'hi')
    headers.set('Link', `<${devanagari}>; rel=preload; as=font; type="font/woff2"; crossorigin`);
  return new Response(html, { status, headers });
}
