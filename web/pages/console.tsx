import { headOf } from '../features/chrome/head.ts';
import { fetchedPart } from '../features/offline/fetched-part.tsx';
import { SignedInOnly } from '../features/session/signed-in-only.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { loadConsoleWords } from '../messages/console-words.ts';
import { useText } from '../text.tsx';
import type { Route } from './+types/console';

await loadConsoleWords();
await loadPart('reports');

const Console = fetchedPart(() => import('../features/console/console.tsx'));

/** The shell has no datum, but nobody keeps it (decisions §1). */
export const headers = () => ({ 'cache-control': 'no-store' });

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('console.pageTitle'),
    description: i18n._('console.logIn'),
    site,
    path: '/Console',
    personal: true,
  });
}

/** Where operators work. The server renders a shell, the same for everybody; all that it shows comes by operators' calls. */
export default function ConsolePage() {
  const text = useText();
  return (
    <div className="wrap-page min-h-svh w-full py-6 sm:py-8 [@media(height<30rem)]:py-3">
      <SignedInOnly title={text('console.title')} why={text('console.logIn')}>
        {(user) => <Console userId={user._id} />}
      </SignedInOnly>
    </div>
  );
}
