import { getReelsById, type RankReason, rankReels, tasteLimits } from '#contract/taste.ts';
import { call } from '#web/api.ts';
import { randomKey } from '#web/random-key.ts';
import { feedPage, feedReel, shownReels } from '../feed/feed.ts';
import type { ListPage } from '../lists/use-list.ts';
import type { PlayedReel } from '../player/playlist.ts';
import { seenReels } from '../player/seen-reels.ts';
import { currentToken } from '../session/session.ts';
import { isMuted, mutes } from './mutes.ts';
import { visited } from './visit.ts';

/** The key of the query of For you. */
export const forYouKey = [...shownReels, 'forYou'];

interface RankedList {
  /** Who asked; null for a visitor. */
  token: string | null;
  ranked: { _id: string; why: RankReason }[];
  /** The reels of the first page. */
  first: PlayedReel[];
}

/** The ranked lists of this visit by their names: each stays as it was made, while others publish. */
const made = new Map<string, RankedList>();
/** The name of the newest one. */
let current: string | undefined;

/** Has a new list made with the next first page. */
export function forgetRanked(): void {
  current = undefined;
}

async function makeList(signal: AbortSignal): Promise<string> {
  const token = currentToken();
  const { reels, people, words } = mutes();
  const body = {
    visit: visited(),
    seen: [...seenReels()].slice(0, tasteLimits.seen),
    muted: { reels, people: people.map(({ _id }) => _id), words },
  };
  const { ranked, data } = await call(rankReels, { body }, { signal });
  const name = randomKey();
  made.set(name, { token, ranked, first: withReasons(data.map(feedReel), ranked) });
  current = name;
  return name;
}

/** In the order of the list. */
function withReasons(reels: PlayedReel[], ranked: RankedList['ranked']): PlayedReel[] {
  const byId = new Map(reels.map((reel) => [reel._id, reel]));
  return ranked.flatMap(({ _id, why }) => {
    const reel = byId.get(_id);
    return reel ? [{ ...reel, why }] : [];
  });
}

/** Where a page begins: at a place of a ranked list, or, after its end, at a cursor of Newest. The cursor of the list is its JSON. */
interface Place {
  list: string;
  at: number | 'newest';
  cursor: string | null;
}

/**
 * One page of For you: of the ranked list, which is made once a visit, and then of Newest without what the list had. What is gone or
 * muted is left out; a page has at least one reel, unless there are none any more.
 */
export async function forYouPage(cursor: string | null, signal: AbortSignal): Promise<ListPage<PlayedReel>> {
  let place = cursor === null ? await begin(signal) : (JSON.parse(cursor) as Place);
  for (;;) {
    const { items, next } = await pageFrom(place, signal);
    const kept = items.filter((reel) => !isMuted(reel, mutes()));
    if (kept.length > 0 || !next) return { items: kept, nextCursor: next ? JSON.stringify(next) : null };
    place = next;
  }
}

async function begin(signal: AbortSignal): Promise<Place> {
  const known = current && made.get(current)?.token === currentToken() ? current : undefined;
  return { list: known ?? (await makeList(signal)), at: 0, cursor: null };
}

async function pageFrom(
  { list, at, cursor }: Place,
  signal: AbortSignal,
): Promise<{ items: PlayedReel[]; next: Place | undefined }> {
  // After a reload it is not known any more, and the player goes on with Newest.
  const { ranked, first } = made.get(list) ?? { ranked: [], first: [] };
  if (at === 'newest' || at >= ranked.length) {
    const { items, nextCursor } = await feedPage(call, cursor, { signal });
    const shown = new Set(ranked.map(({ _id }) => _id));
    return {
      items: items
        .filter(({ _id }) => !shown.has(_id))
        .map((reel) => ({ ...reel, why: { code: 'newest' } as const })),
      next: nextCursor === null ? undefined : { list, at: 'newest', cursor: nextCursor },
    };
  }
  const end = at + tasteLimits.page;
  const part = ranked.slice(at, end);
  const items = at === 0 ? takeFirst(list) : undefined;
  return {
    items: items ?? withReasons(await reelsById(part, signal), part),
    next: { list, at: end < ranked.length ? end : 'newest', cursor: null },
  };

  /** They come with the list; when it is shown again, they are asked for, with their new counts. */
  function takeFirst(name: string): PlayedReel[] | undefined {
    const one = made.get(name);
    if (first.length === 0 || !one) return undefined;
    made.set(name, { ...one, first: [] });
    return first;
  }
}

async function reelsById(part: RankedList['ranked'], signal: AbortSignal): Promise<PlayedReel[]> {
  const ids = part.map(({ _id }) => _id);
  return (await call(getReelsById, { body: { ids } }, { signal })).data.map(feedReel);
}
