import { call } from '#web/api.ts';
import { feedPage } from '../feed/feed.ts';
import type { ListPage } from '../lists/use-list.ts';
import { newFirst } from '../player/new-first.ts';
import { nextPagesAfter } from '../player/next-pages.ts';
import type { PlayedReel, PlayerState, ReelList } from '../player/playlist.ts';
import { seenReels } from '../player/seen-reels.ts';
import { followedPage } from './following.ts';
import { forYouPage } from './for-you.ts';
import { refreshTab } from './refresh.ts';
import type { FeedTab } from './tabs.ts';

type PageOf = (cursor: string | null, signal: AbortSignal) => Promise<ListPage<PlayedReel>>;

/**
 * The list of a tab for the player; undefined if it has no reels. `again`: it plays already, and is loaded anew. Otherwise For you and
 * Following go on with their first reel that this device has not seen.
 */
export async function openTab(tab: FeedTab, { again }: { again: boolean }): Promise<PlayerState | undefined> {
  if (again) await refreshTab(tab);
  if (tab === 'newest') {
    const { items, nextCursor } = await feedPage(call, null);
    const rest = nextPagesAfter(nextCursor, { of: 'feed' });
    return items.length > 0
      ? { ...newFirst({ videos: items, rest }, seenReels()), startIndex: 0 }
      : undefined;
  }
  return tab === 'forYou'
    ? await firstUnseen({ of: 'forYou' }, forYouPage)
    : await firstUnseen({ of: 'following' }, followedPage);
}

/** As many pages as have been seen before. */
const most = 5;

async function firstUnseen(list: ReelList, pageOf: PageOf): Promise<PlayerState | undefined> {
  const seen = seenReels();
  const { signal } = new AbortController();
  let cursor: string | null = null;
  const videos: PlayedReel[] = [];
  for (let nth = 0; nth < most; nth += 1) {
    const page = await pageOf(cursor, signal);
    const before = videos.length;
    videos.push(...page.items);
    const unseen = page.items.findIndex(({ _id }) => !seen.has(_id));
    const rest = nextPagesAfter(page.nextCursor, list);
    if (unseen !== -1) return { videos, startIndex: before + unseen, rest };
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  // All were seen: from the beginning.
  return videos.length > 0 ? { videos, startIndex: 0, rest: nextPagesAfter(cursor, list) } : undefined;
}
