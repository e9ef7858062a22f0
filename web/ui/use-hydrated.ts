import { useDeferredValue, useEffect } from 'react';
import { replayClick } from './pre-hydration-clicks.ts';

let isHydrated = false;

/** False on the server and until the page is hydrated. The change to true is rendered with low priority. */
export function useHydrated(): boolean {
  return useDeferredValue(true, isHydrated ? undefined : false);
}

/** The same outside of components: whether this page load is past its hydration. */
export const hasHydrated = () => isHydrated;

/** Used by the root: marks the page as hydrated with the class `taken-over`, and replays the click made before. */
export function useMarkHydrated(): void {
  useEffect(() => {
    isHydrated = true;
    document.documentElement.classList.add('taken-over');
    replayClick();
  }, []);
}
