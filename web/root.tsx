import latin from '@fontsource-variable/anek-latin/files/anek-latin-latin-wght-normal.woff2?url';
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
import { getConfig } from '#contract/config.ts';
import type { Route } from './+types/root';
import { usePageViews } from './features/analytics/use-page-views.ts';
import { FootBar } from './features/chrome/foot-bar.tsx';
import { Footer } from './features/chrome/footer.tsx';
import { Header } from './features/chrome/header.tsx';
import { NavigationProgress } from './features/chrome/navigation-progress.tsx';
import type { Site } from './features/chrome/use-site.ts';
import { OfflineBar } from './features/offline/offline-bar.tsx';
import { StayOpen } from './features/offline/stay-open.tsx';
import { useSelfAtStart } from './features/profile/use-self.ts';
import { SessionEnded } from './features/session/session-ended.tsx';
import { beforePaint, useTheme } from './features/theme/theme.ts';
import { i18nOf, languageOr, loadMessages } from './messages/catalogues.ts';
import { setTimeZone } from './messages/dates.ts';
import { useNonce } from './nonce.ts';
import { pageCall } from './page-call.ts';
import { NotFound } from './pages/not-found.tsx';
import { SomethingWrong } from './pages/something-wrong.tsx';
import { queryClient } from './query-client.ts';
import { pageContext } from './server-context.ts';
import { TextProvider, useText } from './text.tsx';
import { awaitFonts } from './ui/letters.ts';
import { captureClicks } from './ui/pre-hydration-clicks.ts';
import { Notices } from './ui/toast.tsx';
import { useMarkHydrated } from './ui/use-hydrated.ts';
import './ui/base.css';
import './features/carousel/carousel.css';
import './features/feed/feed.css';

export const links: Route.LinksFunction = () => [
  { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' },
  { rel: 'icon', href: '/icon-192.png', type: 'image/png', sizes: '192x192' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/manifest.webmanifest' },
  { rel: 'preload', href: latin, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
];

export async function loader({ context }: Route.LoaderArgs) {
  const { lang, askedLang, origin } = context.get(pageContext);
  const [config] = await Promise.all([pageCall(context)(getConfig), loadMessages(lang)]);
  const { stores, follow, team, measurementId, signIn, uploadPiece } = config;
  const { linkImport, linksWithoutLogin, timeZone, rates, monthRules, interactions } = config;
  if (interactions === 'web') await import('./features/on-site/start.ts');
  const { google } = signIn;
  const { mail, watching } = config;
  return {
    lang: languageOr(lang),
    askedLang,
    origin,
    google,
    mail,
    stores,
    follow,
    team,
    measurementId,
    uploadPiece,
    interactions,
    linkImport,
    linksWithoutLogin,
    timeZone,
    rates,
    monthRules,
    olderAppsUntil: watching.olderAppsUntil,
  } satisfies Site;
}

// The site's language, origin and links do not change during a page load.
export const shouldRevalidate = () => false;

/** Options of a page: `export const handle = { fullScreen: true }`. */
export interface PageHandle<Loaded = unknown> {
  /** Hides header and footer; a function decides from the page's loader data. */
  fullScreen?: boolean | ((loaded: Loaded) => boolean);
  /** The page is not hydrated: it loads no script. */
  isStatic?: boolean;
}

const useHandles = () =>
  useMatches().map(({ handle, loaderData }) => ({ ...((handle ?? {}) as PageHandle), loaderData }));

export function Layout({ children }: { children: ReactNode }) {
  const site = useRouteLoaderData<typeof loader>('root');
  const lang = site?.lang ?? 'en';
  if (site) setTimeZone(site.timeZone);
  const nonce = useNonce();
  const isStatic = useHandles().some((handle) => handle.isStatic);
  const [queries] = useState(queryClient);
  return (
    <html
      lang={lang}
      // Read before hydration (entry.client.tsx).
      data-on-site={site?.interactions === 'web' || undefined}
      suppressHydrationWarning
    >
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
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours that must run before the first paint
          dangerouslySetInnerHTML={{
            __html: [beforePaint, awaitFonts, ...(isStatic ? [] : [captureClicks])].join(';'),
          }}
        />
        <TextProvider i18n={i18nOf(lang)}>
          <QueryClientProvider client={queries}>{children}</QueryClientProvider>
        </TextProvider>
        {!isStatic && (
          <>
            <ScrollRestoration />
            <Scripts />
          </>
        )}
      </body>
    </html>
  );
}

export default function App() {
  const fullScreen = useHandles().some(({ fullScreen, loaderData }) =>
    typeof fullScreen === 'function' ? fullScreen(loaderData) : fullScreen,
  );
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
  useMarkHydrated();
  useSelfAtStart();
  usePageViews();
  return (
    <>
      {!bare && (
        <>
          <a href="#content" className="skip-link">
            {text('nav.skip')}
          </a>
          <Header />
        </>
      )}
      <NavigationProgress />
      <main id="content" tabIndex={-1} className="outline-none">
        {children}
      </main>
      {!bare && (
        <>
          <Footer />
          <FootBar />
        </>
      )}
      {/* A full-screen page shows the offline state itself. */}
      {!bare && <OfflineBar />}
      <StayOpen />
      <SessionEnded />
      <Notices label={text('notices.label')} theme={theme} />
    </>
  );
}
