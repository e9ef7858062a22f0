import { startTransition, useEffect, useEffectEvent, useReducer, useRef } from 'react';
import { createPath, type Location, useLocation, useNavigate, useNavigation } from 'react-router';
import { useText } from '#web/text.tsx';
import { notify } from '#web/ui/notices.ts';
import { renewal } from './renew-page.ts';
import { siteAnswers } from './site-answers.ts';

/**
 * Keeps an open page open. React Router reloads the document when the script of another page does not load, even if that
 * script was only prefetched; without a network the reload would remove the page. So this component cancels such a reload
 * (in browsers with the Navigation API). A failed prefetch shows nothing. A page that the visitor navigates to is loaded as a
 * new document if the site answers, because the site may have been built again; otherwise the visitor stays and sees a notice.
 */
export function StayOpen() {
  const text = useText();
  const here = useLocation();
  const navigate = useNavigate();
  const { location: wanted } = useNavigation();
  const [cancelled, countCancelled] = useReducer((count: number) => count + 1, 0);
  const handled = useRef(0);
  // React Router never requests a script again that has failed once, so these pages are loaded as new documents from then on.
  const missing = useRef(new Set<string>());

  const goOrStay = useEffectEvent(async (page: Location, isStillWanted: () => boolean) => {
    const answers = await siteAnswers();
    if (!isStillWanted()) return;
    if (answers) return location.assign(createPath(page));
    notify('error', text('offline.pageMissing'));
    // Ends the navigation, which would wait for ever.
    await navigate(here, { replace: true, preventScrollReset: true, state: here.state });
  });

  useEffect(() => {
    if (!('navigation' in window)) return;
    const cancel = (event: NavigateEvent) => {
      if (event.navigationType !== 'reload' || event.userInitiated || !event.cancelable) return;
      if (event.info === renewal) return;
      event.preventDefault();
      // React Router announces a navigation in a transition too, so when this one is committed `wanted` is up to date.
      startTransition(countCancelled);
    };
    navigation.addEventListener('navigate', cancel);
    return () => navigation.removeEventListener('navigate', cancel);
  }, []);

  useEffect(() => {
    const hasFailed = cancelled > handled.current;
    handled.current = cancelled;
    if (!wanted) return;
    if (hasFailed) missing.current.add(partOf(wanted));
    if (!missing.current.has(partOf(wanted))) return;
    let isWanted = true;
    void goOrStay(wanted, () => isWanted);
    return () => {
      isWanted = false;
    };
  }, [wanted, cancelled]);
  return null;
}

const partOf = ({ pathname }: Location) => pathname.split('/')[1] ?? '';
