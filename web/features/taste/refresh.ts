import { queryClient } from '#web/query-client.ts';
import { feedKey } from '../feed/feed.ts';
import { followingKey } from './following.ts';
import { forgetRanked, forYouKey } from './for-you.ts';
import type { FeedTab } from './tabs.ts';

const keys = { forYou: forYouKey, following: followingKey, newest: feedKey };

/** Loads the list of a tab again; For you is ranked anew. */
export function refreshTab(tab: FeedTab): Promise<void> {
  if (tab === 'forYou') forgetRanked();
  return queryClient().resetQueries({ queryKey: keys[tab] });
}
