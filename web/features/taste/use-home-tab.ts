import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { chosenTab, type FeedTab, tabNamed } from './tabs.ts';

/** The tab of Home: that of the address, otherwise the one that this device has chosen. The server renders Newest. */
export function useHomeTab(): FeedTab {
  const { search } = useLocation();
  const hydrated = useHydrated();
  // Until now the list of the server's page was hidden, if another one was chosen (theme.ts, feed.css).
  useEffect(() => {
    if (hydrated) delete document.documentElement.dataset.tab;
  }, [hydrated]);
  return hydrated ? (tabNamed(new URLSearchParams(search).get('tab')) ?? chosenTab()) : 'newest';
}
