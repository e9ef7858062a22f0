import { lazy, Suspense, useSyncExternalStore } from 'react';
import { noticesWanted } from './notices.ts';

const Toaster = lazy(() => import('./toaster.tsx'));

/** The place notices appear; stands once, in the root. */
export function Notices({ label, theme }: { label: string; theme: 'light' | 'dark' }) {
  const show = useSyncExternalStore(noticesWanted.subscribe, noticesWanted.now, () => false);
  if (!show) return null;
  return (
    <Suspense>
      <Toaster label={label} theme={theme} />
    </Suspense>
  );
}
