import type { Messages } from '@lingui/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { createRoutesStub, Outlet, parsePath, useLocation } from 'react-router';
import { onTestFinished } from 'vitest';
import { rates } from '#contract/earning-rules.ts';
import type { Self } from '#contract/people.ts';
import type { Site } from '#web/features/chrome/use-site.ts';
import { setControls } from '#web/features/interactions/controls.ts';
import { onSite } from '#web/features/on-site/controls.ts';
import { takeStoredSession } from '#web/features/session/session.ts';
import { i18nOf, loadMessages, takeSiteWords } from '#web/messages/catalogues.ts';
import { setTimeZone } from '#web/messages/dates.ts';
import { queryClient } from '#web/query-client.ts';
import { TextProvider } from '#web/text.tsx';
import { clearNotices } from '#web/ui/notices.ts';
import { Notices } from '#web/ui/toast.tsx';

/** Data of the site, as the root's loader gives it. */
const site: Site = {
  lang: 'en',
  askedLang: null,
  origin: 'http://localhost',
  google: true,
  mail: true,
  stores: { android: 'https://play.example', ios: 'https://apps.example' },
  follow: { instagram: '', youtube: '', x: '' },
  team: [],
  measurementId: null,
  uploadPiece: 1024 * 1024,
  interactions: 'app',
  linkImport: true,
  linksWithoutLogin: 5,
  timeZone: 'Asia/Kolkata',
  rates,
  monthRules: { verifiedOnly: false },
  olderAppsUntil: null,
};

interface Shown {
  /** The module of the page (web/pages). */
  page: () => Promise<{ default: ComponentType<never> }>;
  /** Its address, and its pattern in web/routes.ts if it has parameters. */
  address: string;
  pattern?: string;
  /** What the link that led to it has passed. */
  state?: unknown;
  /** What its loader gives. */
  loaded?: unknown;
  person?: Self;
  lang?: 'en' | 'hi';
  more?: Partial<Site>;
}

/**
 * Shows a page of the site without a browser: in jsdom, which has no layout, styles or network. Its calls are answered by `answerCalls`.
 * Other addresses show themselves.
 */
export async function showPage({
  page,
  address,
  pattern,
  state,
  loaded,
  person,
  lang = 'en',
  more = {},
}: Shown) {
  document.documentElement.lang = lang;
  const [{ default: Page }] = await Promise.all([page(), loadMessages(lang)]);
  await loadParts(lang, more.interactions === 'web');
  setTimeZone(site.timeZone);
  if (person) {
    localStorage.setItem('user', JSON.stringify(person));
    localStorage.setItem('authToken', `token of ${person.username}`);
  }
  takeStoredSession();
  // What is set is set for the whole life of a page, so the next test begins without it.
  setControls(more.interactions === 'web' ? onSite : {});
  const [path] = address.split('?');
  const Stub = createRoutesStub([
    {
      id: 'root',
      path: '/',
      Component: Frame,
      loader: () => ({ ...site, lang, ...more }),
      children: [
        {
          id: 'page',
          path: pattern ?? path ?? '',
          Component: Page as ComponentType,
          // Of a link to the page itself.
          loader: () => loaded ?? null,
        },
        { path: '*', Component: Elsewhere },
      ],
    },
  ]);
  const { unmount } = render(
    <TextProvider i18n={i18nOf(lang)}>
      <QueryClientProvider client={queryClient()}>
        <Stub
          initialEntries={[{ ...parsePath(address), state }]}
          hydrationData={{ loaderData: { root: { ...site, lang, ...more }, page: loaded ?? null } }}
        />
      </QueryClientProvider>
    </TextProvider>,
  );
  onTestFinished(() => {
    cleanup();
    queryClient().clear();
    clearNotices();
    localStorage.clear();
    sessionStorage.clear();
    takeStoredSession();
  });
  return { user: userEvent.setup(), unmount };
}

const catalogues = import.meta.glob<Messages>('/web/messages/**/*.json', { import: 'default' });

/**
 * A page loads its part of the messages with its module, so in one language: that of the first test that shows it. What a site without an
 * app says comes last, and is gone in the next test.
 */
async function loadParts(lang: string, isOnSite: boolean): Promise<void> {
  const ofLanguage = Object.entries(catalogues).filter(([path]) => path.endsWith(`/${lang}.json`));
  const [others, ofSite] = [
    ofLanguage.filter(([path]) => !path.includes('/onsite/')),
    ofLanguage.filter(([path]) => path.includes('/onsite/')),
  ];
  for (const [, load] of others) i18nOf(lang).load(lang, await load());
  const words = await Promise.all(ofSite.map(([, load]) => load()));
  takeSiteWords(lang, isOnSite ? Object.assign({}, ...words) : {});
}

function Frame() {
  return (
    <>
      <main>
        <Outlet />
      </main>
      <Notices label="Notices" theme="light" />
    </>
  );
}

function Elsewhere() {
  const { pathname, search, state } = useLocation();
  return (
    <>
      <p>{`at ${pathname}${search}`}</p>
      {state && <p>{`with ${JSON.stringify(state)}`}</p>}
    </>
  );
}

/** Waits until another page is shown. */
export const arriveAt = (address: string) => screen.findByText(`at ${address}`);
