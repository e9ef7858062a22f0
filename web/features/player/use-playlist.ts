import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { endsNew } from './new-first.ts';
import { eachOnce, keptState, type PlayerState, wrapped } from './playlist.ts';
import { useNextPages } from './use-next-pages.ts';

/** The next page is fetched when only this many videos are left. */
const ahead = 5;

interface Position {
  index: number;
  lastMove: 1 | -1;
  /** Increases with every video that is shown. */
  showing: number;
  /** The person moved to the next video, which is not loaded yet. */
  waits: boolean;
  /** The person went on after the last new video. */
  goneOn: boolean;
}

const moved = ({ index, showing, goneOn }: Position, by: 1 | -1, length: number): Position => ({
  index: wrapped(index + by, length),
  goneOn,
  lastMove: by,
  showing: showing + 1,
  waits: false,
});

/** The player's position in the list. A move is shown at once; then the URL is replaced. */
export function usePlaylist({ videos: handed, startIndex, rest: restOfHanded }: PlayerState) {
  const { key, state } = useLocation();
  // Only the first page of a visit has the key `default`; replacing it must not lose that information.
  const { direct = key === 'default' } = (state ?? {}) as Partial<PlayerState>;
  const navigate = useNavigate();
  const { more, rest, isFetching, isPaused, isError, fetchMore } = useNextPages(restOfHanded);
  const videos = useMemo(() => eachOnce([...handed, ...more]), [handed, more]);
  const [position, setPosition] = useState<Position>({
    index: startIndex,
    lastMove: 1,
    showing: 0,
    waits: false,
    goneOn: false,
  });
  const { showing, waits } = position;
  // The list may have become shorter.
  const index = Math.min(position.index, Math.max(0, videos.length - 1));
  const reel = videos[index];
  const goesOn = rest !== undefined;
  // The address does not say yet which one it is.
  const isNewFirst = restOfHanded?.only !== undefined;
  const isUpToDate = !position.goneOn && endsNew(videos, index);

  const wantsMore = goesOn && videos.length - index <= ahead;
  useEffect(() => {
    if (wantsMore && !isFetching && !isError) void fetchMore();
  }, [wantsMore, isFetching, isError, fetchMore]);

  const arrived = waits && (index + 1 < videos.length || !goesOn);
  useEffect(() => {
    if (arrived) setPosition((now) => (now.waits ? moved(now, 1, videos.length) : now));
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
  // A page that arrives later is stored in the history state with the next move.
  useEffect(() => {
    if (id && (showing > 0 || isNewFirst) && !isUpToDate) follow(id);
  }, [id, showing, isNewFirst, isUpToDate]);

  function move(by: 1 | -1) {
    if (isUpToDate && by === 1)
      return setPosition((now) => ({ ...now, goneOn: true, showing: now.showing + 1 }));
    if (by === 1 && isError && index === videos.length - 1) void fetchMore();
    setPosition((now) => {
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
    ...position,
    index,
    videos,
    reel,
    goesOn,
    /** All new videos were shown; the current one waits until the person goes on. */
    isUpToDate,
    move,
    leave,
    /** Why no video, or not the one that the person has moved to, is shown yet. */
    waitsFor: waits || !reel ? (isError ? 'retry' : isPaused ? 'network' : 'page') : undefined,
    fetchMore,
  } as const;
}
