import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { type PlayerState, playlistOf, wrapped } from './playlist.ts';

/** Where in the list the player stands. A move shows at once; the address follows by replacing itself. */
export function usePlaylist({ videos, startIndex }: PlayerState) {
  const { direct = true } = playlistOf([], useLocation().state);
  const navigate = useNavigate();
  const [place, setPlace] = useState({ index: startIndex, lastMove: 1 as 1 | -1, showing: 0 });
  const { index, showing } = place;
  const reel = videos[index];

  useEffect(() => {
    if (!reel || showing === 0) return;
    void navigate(`/videoplayer?reel=${reel._id}`, {
      replace: true,
      preventScrollReset: true,
      state: { videos, startIndex: index, direct } satisfies PlayerState,
    });
  }, [reel, videos, index, direct, showing, navigate]);

  function move(by: 1 | -1) {
    if (videos.length < 2) return;
    setPlace((now) => ({
      index: wrapped(now.index + by, videos.length),
      lastMove: by,
      showing: now.showing + 1,
    }));
  }

  function leave() {
    if (direct) void navigate('/');
    else void navigate(-1);
  }

  return { ...place, reel, move, leave };
}
