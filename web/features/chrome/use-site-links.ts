import { useRouteLoaderData } from 'react-router';
import type { loader } from '../../root.tsx';

/** Where the site, its stores and its other places are, from the configuration. */
export function useSiteLinks() {
  const site = useRouteLoaderData<typeof loader>('root');
  return (
    site ?? {
      // Only where the root itself failed, and its error page shows none of them.
      origin: '',
      stores: { android: '', ios: '' },
      follow: { instagram: '', youtube: '', x: '' },
    }
  );
}
