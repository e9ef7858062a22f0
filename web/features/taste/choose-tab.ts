import { storageKeys } from '#web/storage-keys.ts';
import type { FeedTab } from './tabs.ts';

/** Opens Home with a tab from now on. */
export function chooseTab(tab: FeedTab): void {
  try {
    if (tab === 'newest') localStorage.removeItem(storageKeys.homeTab);
    else localStorage.setItem(storageKeys.homeTab, tab);
  } catch {
    // Storage is full or forbidden, so Home opens with Newest.
  }
}
