import type { NextPages, PlayedReel, Source } from './playlist.ts';

type Only = 'new' | 'seen' | undefined;

export const onlyOf = (rest: NextPages | undefined): Only =>
  rest?.list.of === 'feed' ? rest.list.only : undefined;

/** The pages after one of a list; seen reels follow the last new one. */
export function nextPagesOf(nextCursor: string | null, { list }: NextPages): NextPages {
  return nextCursor === null && onlyOf({ list, cursor: null }) === 'new'
    ? { list: { of: 'feed', only: 'seen' }, cursor: null }
    : { list, cursor: nextCursor ?? undefined };
}

/** What the player shows of a page. In the second pass of a list, those that the first pass has shown are left out by `eachOnce`. */
export function shownOf(reels: PlayedReel[], only: Only, seen: ReadonlySet<string>): PlayedReel[] {
  if (only === 'new') return reels.filter(({ _id }) => !seen.has(_id));
  return only === 'seen' ? reels.map((reel) => ({ ...reel, again: true })) : reels;
}

/** The feed for whoever opens the player without a reel: new ones first, and then those that this device has seen. */
export function newFirst({ videos, rest }: Source, seen: ReadonlySet<string>): Source {
  return {
    videos: shownOf(videos, 'new', seen),
    rest: nextPagesOf(rest?.cursor ?? null, { list: { of: 'feed', only: 'new' }, cursor: null }),
  };
}

/** Whether the reel is the first after the last new one. */
export const endsNew = (videos: PlayedReel[], index: number): boolean =>
  videos[index]?.again === true && !videos[index - 1]?.again;
