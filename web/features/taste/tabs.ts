import type { MessageId } from '#web/messages/catalogues.ts';
import { storageKeys } from '#web/storage-keys.ts';

/** The lists of reels on Home and in the player, in the order of their tabs. */
export const feedTabs = ['forYou', 'following', 'newest'] as const;
export type FeedTab = (typeof feedTabs)[number];

export const tabLabels: Record<FeedTab, MessageId> = {
  forYou: 'tab.forYou',
  following: 'tab.following',
  newest: 'tab.newest',
};

export const tabNamed = (name: string | null): FeedTab | undefined => feedTabs.find((tab) => tab === name);

/** The tab with which Home opens on this device: Newest, until somebody has chosen another one. */
export function chosenTab(): FeedTab {
  try {
    return tabNamed(localStorage.getItem(storageKeys.homeTab)) ?? 'newest';
  } catch {
    return 'newest';
  }
}
