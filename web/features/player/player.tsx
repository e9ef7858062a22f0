import { Play } from 'lucide-react';
import { startTransition, useEffect, useState } from 'react';
import { useText } from '../../text.tsx';
import { useHydrated } from '../../ui/hydrated.ts';
import { whenSettled } from '../../when-settled.ts';
import { CaptionLines } from '../captions/caption-lines.tsx';
import { useCaptions } from '../captions/use-captions.ts';
import { fetchedPart } from '../offline/fetched-part.tsx';
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

const DownloadAppDialog = fetchedPart(() => import('../download-app/download-app-dialog.tsx'));

/** The full-screen player (specification §2, /videoplayer). */
export function Player(props: PlayerState) {
  const { videos } = props;
  const text = useText();
  const { reel, index, lastMove, showing, move, leave } = usePlaylist(props);
  const sound = useSound();
  const captions = useCaptions(reel?.captionTracks ?? []);
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
  const toggleCaptions = captions.tracks.length > 0 ? captions.toggle : undefined;
  useKeys(!inApp, { move, seek, togglePause, toggleSound: sound.toggle, toggleCaptions, leave });

  // On a page from the server what is on the screen goes first: its neighbours come once the browser has a moment.
  const hydrated = useHydrated();
  const [settled, setSettled] = useState(hydrated);
  useEffect(() => whenSettled(() => startTransition(() => setSettled(true))), []);
  if (!reel) return null;
  const slides = slidesAround(videos, index, lastMove);
  return (
    <section
      aria-label={text('player.label')}
      className="player on-night fixed inset-0 overflow-hidden bg-night text-night-text"
    >
      <Stage
        slides={settled || showing > 0 ? slides : slides.filter(({ offset }) => offset === 0)}
        paused={paused || inApp}
        active={!inApp}
        onTap={sound.blocked ? sound.toggle : togglePause}
        onStage={setVideo}
        {...{ sound, move, onBroken }}
      />
      <h1 className="sr-only">{text(reel.caption ? 'player.video' : 'player.videoUntitled', { ...reel })}</h1>
      <TopBar sound={sound} captions={captions} leave={leave} />
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
            <CaptionLines video={video} language={captions.shown?.language} className="player-captions" />
            <Details reel={reel} />
          </div>
          <Actions reel={reel} onAppOnly={() => setInApp(true)} move={videos.length > 1 ? move : undefined} />
        </div>
        <div className="needs-script pointer-events-auto">
          <ProgressBar video={video} />
        </div>
      </div>
      {inApp && <DownloadAppDialog onClose={() => setInApp(false)} />}
    </section>
  );
}
