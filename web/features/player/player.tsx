import { Play } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useText } from '../../text.tsx';
import { useHydrated } from '../../ui/hydrated.ts';
import { Actions } from './actions.tsx';
import { Details } from './details.tsx';
import type { PlayerState } from './playlist.ts';
import { slidesAround } from './playlist.ts';
import './player.css';
import { ProgressBar } from './progress-bar.tsx';
import { RoundButton } from './round-button.tsx';
import { Stage } from './stage.tsx';
import { TopBar } from './top-bar.tsx';
import { useBroken } from './use-broken.ts';
import { useCountView } from './use-count-view.ts';
import { useKeys } from './use-keys.ts';
import { usePlaylist } from './use-playlist.ts';
import { useSound } from './use-sound.ts';

const DownloadAppDialog = lazy(() => import('../download-app/download-app-dialog.tsx'));

/** The full-screen player (specification §2, /videoplayer). */
export function Player(props: PlayerState) {
  const { videos } = props;
  const text = useText();
  const { reel, index, lastMove, showing, move, leave } = usePlaylist(props);
  const sound = useSound();
  const [pausedShowing, setPausedShowing] = useState<number>();
  const [inApp, setInApp] = useState(false);
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const { isBroken, movesOn, onBroken } = useBroken(reel?._id, videos.length, () => move(1));
  useCountView(reel?._id, showing);

  // A pause belongs to one showing: the next video plays.
  const paused = pausedShowing === showing;
  const togglePause = () => setPausedShowing(paused ? undefined : showing);
  const seek = (seconds: number) => {
    if (video) video.currentTime = Math.min(Math.max(0, video.currentTime + seconds), video.duration || 0);
  };
  useKeys(!inApp, { move, seek, togglePause, toggleSound: sound.toggle, leave });

  const hydrated = useHydrated();
  if (!reel) return null;
  const slides = slidesAround(videos, index, lastMove);
  return (
    <section
      aria-label={text('player.label')}
      className="player on-night fixed inset-0 overflow-hidden bg-night text-night-text"
    >
      <Stage
        slides={hydrated ? slides : slides.filter(({ offset }) => offset === 0)}
        paused={paused || inApp}
        active={!inApp}
        onTap={sound.blocked ? sound.toggle : togglePause}
        onStage={setVideo}
        {...{ sound, move, onBroken }}
      />
      <h1 className="sr-only">{text(reel.caption ? 'player.video' : 'player.videoUntitled', { ...reel })}</h1>
      <TopBar sound={sound} leave={leave} />
      {isBroken && (
        <p
          role="alert"
          className="over-video absolute inset-x-20 top-1/2 mx-auto text-center text-balance w-fit rounded-control px-5 py-3"
        >
          {text(movesOn ? 'player.brokenNext' : 'player.broken')}
        </p>
      )}
      {paused && !isBroken && (
        <div className="pointer-events-none absolute inset-0 grid place-items-center">
          <RoundButton
            icon={Play}
            label={text('player.play')}
            onClick={togglePause}
            className="pointer-events-auto size-20"
          />
        </div>
      )}
      <div className="player-foot pointer-events-none absolute inset-x-0 bottom-0 px-3 pb-[max(0.5rem,env(safe-area-inset-bottom))] pt-24 sm:px-6 sm:pb-4">
        <div className="flex items-end justify-between gap-4 pb-2 *:pointer-events-auto">
          <div className="min-w-0 max-w-md lg:max-w-[min(26rem,calc(50vw-29dvh-3rem))]">
            <Details reel={reel} />
          </div>
          <Actions reel={reel} onAppOnly={() => setInApp(true)} move={videos.length > 1 ? move : undefined} />
        </div>
        <div className="needs-script pointer-events-auto">
          <ProgressBar video={video} />
        </div>
      </div>
      {inApp && (
        <Suspense>
          <DownloadAppDialog onClose={() => setInApp(false)} />
        </Suspense>
      )}
    </section>
  );
}
