import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { endsNew, onlyOf } from './new-first.ts';
import { eachOnce, keptState, type PlayedReel, type PlayerState, wrapped } from './playlist.ts';
import { useNextPages } from './use-next-pages.ts';

/** The next page is fetched when only this many videos are left. */
const ahead = 5;

interface Position {
  /** In the list with those that are left out, which only grows. */
  at: number;
  lastMove: 1 | -1;
  /** Increases with every video that is shown. */
  showing: number;
  /** The person moved to the next video, which is not loaded yet. */
  waits: boolean;
  /** The person went on after the last new video. */
  goneOn: boolean;
}

/** Whether a reel is left out of the list that plays. */
export type LeftOut = (reel: PlayedReel) => boolean;

interface Played extends PlayerState {
  /** The address does not say yet which reel is shown. */
  isElsewhere: boolean;
}

/** The player's position in the list. A move is shown at once; then the URL is replaced. */
export function usePlaylist({ videos: handed, startIndex, rest: restOfHanded, isElsewhere }: Played) {
  const { key, state } = useLocation();
  // Only the first page of a visit has the key `default`; replacing it must not lose that information.
  const { direct = key === 'default' } = (state ?? {}) as Partial<PlayerState>;
  const navigate = useNavigate();
  const { more, rest, isFetching, isPaused, isError, fetchMore } = useNextPages(restOfHanded);
  const all = useMemo(() => eachOnce([...handed, ...more]), [handed, more]);
  const [leftOut, setLeftOut] = useState<readonly LeftOut[]>([]);
  const { videos, places } = useMemo(() => {
    const places = [...all.keys()].filter(
      (place) => !leftOut.some((isOut) => isOut(all[place] as PlayedReel)),
    );
    return { places, videos: places.map((place) => all[place] as PlayedReel) };
  }, [all, leftOut]);
  const [position, setPosition] = useState<Position>({
    at: startIndex,
    lastMove: 1,
    showing: 0,
    waits: false,
    goneOn: false,
  });
  const { showing, waits } = position;
  /** The reel at a place, or the next one that is not left out. The list may have become shorter. */
  const indexOf = (at: number) => {
    const next = places.findIndex((place) => place >= at);
    return next === -1 ? Math.max(0, places.length - 1) : next;
  };
  const index = indexOf(position.at);
  const moved = (now: Position, by: 1 | -1): Position => ({
    at: places[wrapped(indexOf(now.at) + by, places.length)] ?? 0,
    goneOn: now.goneOn,
    lastMove: by,
    showing: now.showing + 1,
    waits: false,
  });
  const reel = videos[index];
  const goesOn = rest?.cursor !== undefined;
  const isUnnamed = isElsewhere || onlyOf(restOfHanded) !== undefined;
  const isUpToDate = !position.goneOn && endsNew(videos, index);

  // A page may be there before it is known that it was asked for, and may be too short.
  const wanted = goesOn && videos.length - index <= ahead ? rest : undefined;
  useEffect(() => {
    if (wanted && !isFetching && !isError) void fetchMore();
  }, [wanted, isFetching, isError, fetchMore]);

  const arrived = waits && (index + 1 < videos.length || !goesOn);
  const goOn = useEffectEvent(() => setPosition((now) => (now.waits ? moved(now, 1) : now)));
  useEffect(() => {
    if (arrived) goOn();
  }, [arrived]);

  const follow = useEffectEvent(
    (id: string) =>
      void navigate(`/videoplayer?reel=${id}`, {
        replace: true,
        preventScrollReset: true,
        state: keptState({ videos, startIndex: index, rest, direct }),
      }),
  );
  const id = reel?._id;
  // A page that arrives later is stored in the history state with the next move.
  useEffect(() => {
    if (!id || (showing === 0 && !isUnnamed) || isUpToDate) return;
    // After the next frame: the router reads how far the page is scrolled, for which the browser would lay out the move at once.
    const timer = setTimeout(() => follow(id), 50);
    return () => clearTimeout(timer);
  }, [id, showing, isUnnamed, isUpToDate]);

  function move(by: 1 | -1) {
    if (isUpToDate && by === 1)
      return setPosition((now) => ({ ...now, goneOn: true, showing: now.showing + 1 }));
    if (by === 1 && isError && index === videos.length - 1) void fetchMore();
    setPosition((now) => {
      const isLast = indexOf(now.at) === videos.length - 1;
      if (by === 1 && isLast && goesOn) return now.waits ? now : { ...now, waits: true };
      return videos.length < 2 ? now : moved(now, by);
    });
  }

  /** Leaves reels out at once; the next one is shown. The answer takes that back, and shows them again unless the person has moved on. */
  function leaveOut(isOut: LeftOut): () => void {
    const id = reel?._id;
    const isKept = videos.map((one) => !isOut(one));
    if (!goesOn && !isKept.includes(true)) leave();
    // At the end the first one follows.
    setPosition((now) => ({ ...now, at: isKept.indexOf(true, index) === -1 ? 0 : (places[index] ?? 0) }));
    setLeftOut((before) => [...before, isOut]);
    const changed = () =>
      setPosition((now) => (all[now.at]?._id === id ? { ...now, showing: now.showing + 1 } : now));
    changed();
    return () => {
      setLeftOut((before) => before.filter((one) => one !== isOut));
      changed();
    };
  }

  /** Back to the page of this site that led here, or to Home for who came by a link. */
  function leave() {
    if (direct || !history.state?.idx) void navigate('/');
    else void navigate(-1);
  }

  return {
    ...position,
    direct,
    index,
    videos,
    reel,
    rest,
    goesOn,
    /** All new videos were shown; the current one waits until the person goes on. */
    isUpToDate,
    move,
    leaveOut,
    leave,
    /** Why no video, or not the one that the person has moved to, is shown yet. */
    waitsFor: waits || !reel ? (isError ? 'retry' : isPaused ? 'network' : 'page') : undefined,
    fetchMore,
  } as const;
}
