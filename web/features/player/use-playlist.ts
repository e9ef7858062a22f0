import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { eachOnce, keptState, type PlayerState, wrapped } from './playlist.ts';
import { useRest } from './use-rest.ts';

/** When so few videos are left after the one on the screen, the next page of the list is fetched. */
const ahead = 5;

interface Place {
  index: number;
  lastMove: 1 | -1;
  /** Counts what has come on the screen. */
  showing: number;
  /** The next video was asked for and is not there yet. */
  waits: boolean;
}

const moved = ({ index, showing }: Place, by: 1 | -1, length: number): Place => ({
  index: wrapped(index + by, length),
  lastMove: by,
  showing: showing + 1,
  waits: false,
});

/** Where in the list the player stands. A move shows at once; the address follows by replacing itself. */
export function usePlaylist({ videos: handed, startIndex, rest: restOfHanded }: PlayerState) {
  const { key, state } = useLocation();
  // Only the first page of a visit has no place before it; what replaces it remembers that.
  const { direct = key === 'default' } = (state ?? {}) as Partial<PlayerState>;
  const navigate = useNavigate();
  const { pages, rest, isFetching, isPaused, isError, fetchMore } = useRest(restOfHanded);
  const videos = useMemo(
    () => eachOnce([...handed, ...(pages ?? []).flatMap(({ items }) => items)]),
    [handed, pages],
  );
  const [place, setPlace] = useState<Place>({ index: startIndex, lastMove: 1, showing: 0, waits: false });
  const { index, showing, waits } = place;
  const reel = videos[index];
  const goesOn = rest !== undefined;

  const wantsMore = goesOn && videos.length - index <= ahead;
  useEffect(() => {
    if (wantsMore && !isFetching && !isError) void fetchMore();
  }, [wantsMore, isFetching, isError, fetchMore]);

  const arrived = waits && (index + 1 < videos.length || !goesOn);
  useEffect(() => {
    if (arrived) setPlace((now) => (now.waits ? moved(now, 1, videos.length) : now));
  }, [arrived, videos.length]);

  const follow = useEffectEvent(
    (id: string) =>
      void navigate(`/videoplayer?reel=${id}`, {
        replace: true,
        preventScrollReset: true,
        state: keptState({ videos, startIndex: index, rest, direct }),
      }),
  );
  const id = reel?._id;
  // A page that arrives later is kept with the next move.
  useEffect(() => {
    if (id && showing > 0) follow(id);
  }, [id, showing]);

  function move(by: 1 | -1) {
    if (by === 1 && isError && index === videos.length - 1) void fetchMore();
    setPlace((now) => {
      const isLast = now.index === videos.length - 1;
      if (by === 1 && isLast && goesOn) return now.waits ? now : { ...now, waits: true };
      return videos.length < 2 ? now : moved(now, by, videos.length);
    });
  }

  function leave() {
    if (direct) void navigate('/');
    else void navigate(-1);
  }

  return {
    ...place,
    videos,
    reel,
    goesOn,
    move,
    leave,
    /** What the next video waits for, where it was asked for and is not there yet. */
    waitsFor: waits ? (isError ? 'retry' : isPaused ? 'network' : 'page') : undefined,
    fetchMore,
  } as const;
}
