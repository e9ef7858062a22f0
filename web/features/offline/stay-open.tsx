import { useContext, useEffect, useEffectEvent, useRef } from 'react';
import {
  createPath,
  type Location,
  UNSAFE_DataRouterContext as RouterOfThisPage,
  useLocation,
  useNavigate,
  useNavigation,
} from 'react-router';
import { useText } from '#web/text.tsx';
import { notify } from '#web/ui/notices.ts';
import { siteAnswers } from './site-answers.ts';

/**
 * Keeps an open page open. React Router reloads it whenever the script of another page does not come, even of one that
 * was only fetched ahead: without a network that takes away what stands here. So such a reload is stopped (where the
 * browser has the Navigation API). Nobody hears of what nobody asked for; a page that was asked for is loaded from its
 * own address if the site answers (it may have been built anew), and else one stays and is told.
 */
export function StayOpen() {
  const text = useText();
  const here = useLocation();
  const navigate = useNavigate();
  const { location: wanted } = useNavigation();
  const router = useContext(RouterOfThisPage)?.router;
  // React Router waits for ever for what it has once missed, so these are asked for by their address from then on.
  const missed = useRef(new Set<string>());
  const answered = useRef('');

  const goOrStay = useEffectEvent(async (page: Location) => {
    if (answered.current === page.key) return;
    answered.current = page.key;
    missed.current.add(partOf(page));
    const answers = await siteAnswers();
    // Somebody has gone elsewhere meanwhile.
    if (router?.state.navigation.location?.key !== page.key) return;
    if (answers) return location.assign(createPath(page));
    notify('error', text('offline.pageMissing'));
    // The page that does not come is waited for no longer.
    await navigate(here, { replace: true, preventScrollReset: true, state: here.state });
  });

  useEffect(() => {
    if (!('navigation' in window)) return;
    const stop = (event: NavigateEvent) => {
      if (event.navigationType !== 'reload' || event.userInitiated || !event.cancelable) return;
      event.preventDefault();
      // What is asked for at this moment: components hear of it a little later.
      const page = router?.state.navigation.location;
      if (page) void goOrStay(page);
    };
    navigation.addEventListener('navigate', stop);
    return () => navigation.removeEventListener('navigate', stop);
  }, [router]);
  useEffect(() => {
    if (wanted && missed.current.has(partOf(wanted))) void goOrStay(wanted);
  }, [wanted]);
  return null;
}

const partOf = ({ pathname }: Location) => pathname.split('/')[1] ?? '';
