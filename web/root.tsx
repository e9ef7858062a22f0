import latin from '@fontsource-variable/anek-latin/files/anek-latin-latin-wght-normal.woff2?url';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from 'react-router';
import { getConfig } from '../contract/config.ts';
import type { Route } from './+types/root';
import { Footer } from './features/chrome/footer.tsx';
import { Header } from './features/chrome/header.tsx';
import { NavigationProgress } from './features/chrome/navigation-progress.tsx';
import { SessionProvider } from './features/session/session-provider.tsx';
import { beforePaint, useTheme } from './features/theme/theme.ts';
import { i18nOf, languageOr, loadMessages } from './messages/catalogues.ts';
import { useNonce } from './nonce.ts';
import { pageCall } from './page-call.ts';
import { NotFound } from './pages/not-found.tsx';
import { SomethingWrong } from './pages/something-wrong.tsx';
import { queryClient } from './query-client.ts';
import { pageContext } from './server-context.ts';
import { useText } from './text.tsx';
import { Notices } from './ui/toast.tsx';
import './ui/base.css';
import './features/feed/feed.css';

export const links: Route.LinksFunction = () => [
  { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' },
  { rel: 'manifest', href: '/manifest.webmanifest' },
  { rel: 'preload', href: latin, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
];

export async function loader({ context }: Route.LoaderArgs) {
  const { lang, origin } = context.get(pageContext);
  const [{ stores, follow }] = await Promise.all([pageCall(context)(getConfig), loadMessages(lang)]);
  return { lang: languageOr(lang), origin, stores, follow };
}

// Language, address and links of the site do not change while a page lives.
export const shouldRevalidate = () => false;

/** A page may ask for the whole screen: `export const handle = { fullScreen: true }`. */
export interface PageHandle {
  fullScreen?: boolean;
}

export function Layout({ children }: { children: ReactNode }) {
  const site = useRouteLoaderData<typeof loader>('root');
  const lang = site?.lang ?? 'en';
  const nonce = useNonce();
  const [queries] = useState(queryClient);
  return (
    <html lang={lang} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#fbf7ef" />
        <Meta />
        <Links />
      </head>
      <body className="light" suppressHydrationWarning>
        <script
          nonce={nonce}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own words, said before anything is painted
          dangerouslySetInnerHTML={{ __html: beforePaint }}
        />
        <I18nProvider i18n={i18nOf(lang)}>
          <SessionProvider>
            <QueryClientProvider client={queries}>{children}</QueryClientProvider>
          </SessionProvider>
        </I18nProvider>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  const matches = useMatches();
  const fullScreen = matches.some(({ handle }) => (handle as PageHandle | undefined)?.fullScreen);
  return (
    <Page bare={fullScreen}>
      <Outlet />
    </Page>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  return (
    <Page>
      {isRouteErrorResponse(error) && error.status === 404 ? <NotFound /> : <SomethingWrong error={error} />}
    </Page>
  );
}

function Page({ bare = false, children }: { bare?: boolean; children: ReactNode }) {
  const text = useText();
  const [theme] = useTheme();
  return (
    <>
      {!bare && (
        <>
          <a
            href="#content"
            className="fixed left-3 top-3 z-50 -translate-y-24 rounded-control bg-accent px-4 py-2.5 font-semibold text-on-accent focus:translate-y-0"
          >
            {text('nav.skip')}
          </a>
          <Header />
        </>
      )}
      <NavigationProgress />
      <main id="content" tabIndex={-1} className="outline-none">
        {children}
      </main>
      {!bare && <Footer />}
      <Notices label={text('notices.label')} theme={theme} />
    </>
  );
}
