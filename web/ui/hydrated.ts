import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False on the server and while its page is being taken over, true ever after. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
