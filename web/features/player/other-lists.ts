import { call } from '#web/api.ts';
import type { ListPage } from '../lists/use-list.ts';
import { searchFor, tagFor } from '../search/found.ts';
import { followedPage } from '../taste/following.ts';
import { forYouPage } from '../taste/for-you.ts';
import type { PlayedReel, ReelList } from './playlist.ts';

type OtherList = Exclude<ReelList, { of: 'feed' } | { of: 'person' }>;

/** One page of a list that most visits do not play. */
export async function otherPage(
  list: OtherList,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ListPage<PlayedReel>> {
  if (list.of === 'forYou') return await forYouPage(cursor, signal);
  if (list.of === 'following') return await followedPage(cursor, signal);
  const kind = 'reel';
  if (list.of === 'search') return (await searchFor(call, { q: list.q, kind, cursor }, signal)).reels;
  return (await tagFor(call, { tag: list.tag, kind, cursor }, signal)).reels;
}
