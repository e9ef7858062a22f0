import { useDeferredValue, useEffect } from 'react';
import { pressAgain } from './early-press.ts';

let taken = false;

/** False on the server and until its page is taken over; what changes by it is drawn when nothing more urgent is. */
export function useHydrated(): boolean {
  return useDeferredValue(true, taken ? undefined : false);
}

/** Notes that the page is taken over, where everybody can see it, and does what was asked of it before; for the root. */
export function useTakeOver(): void {
  useEffect(() => {
    taken = true;
    document.documentElement.classList.add('taken-over');
    pressAgain();
  }, []);
}
