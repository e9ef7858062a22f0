import { ArrowLeft, Play, TriangleAlert, WifiOff } from 'lucide-react';
import {
  type ReactNode,
  startTransition,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';
import { runWhenIdle } from '#web/run-when-idle.ts';
import { useText } from '#web/text.tsx';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { useMedia } from '#web/ui/use-media.ts';
import { useCaptions } from '../captions/use-captions.ts';
import { type Action, controls, type Point } from '../interactions/controls.ts';
import { useInteractions, useOwn } from '../interactions/use-interactions.ts';
import { fetchedPart } from '../offline/fetched-part.tsx';
import { useOnline } from '../offline/use-online.ts';
import { ReportDialog } from '../reports/fetched-dialog.ts';
import { useSession } from '../session/use-session.ts';
import { Actions } from './actions.tsx';
import { Details } from './details.tsx';
import { Loading, PlaybackMessage } from './playback-message.tsx';
import type { PlayerState } from './playlist.ts';
import { slidesAround, slidesInMotion } from './preloaded-slides.ts';
import './player.css';
import { ProgressBar } from './progress-bar.tsx';
import { RoundButton } from './round-button.tsx';
import { Stage } from './stage.tsx';
import { TopBar } from './top-bar.tsx';
import { useAutoplay } from './use-autoplay.ts';
import { useBuffering } from './use-buffering.ts';
import { start } from './use-playback.ts';
import { usePlaybackError } from './use-playback-error.ts';
import { usePlayerKeys } from './use-player-keys.ts';
import { usePlaylist } from './use-playlist.ts';
import { useSkipBroken } from './use-skip-broken.ts';
import { useSound } from './use-sound.ts';
import { useTaps } from './use-taps.ts';
import { Watching } from './watching/watching.tsx';

const CommentsColumn = fetchedPart(async () => ({
  default: (await import('./comments-column.tsx')).CommentsColumn,
}));
const CaptionLines = fetchedPart(() => import('../captions/caption-lines.tsx'));
const UpToDate = fetchedPart<{ onGoOn: () => void }>(() => import('./up-to-date.tsx'));
const PlayerTabs = fetchedPart(() => import('../taste/player-tabs.tsx'));
const DeleteReel = fetchedPart(() => import('../profile/delete-reel.tsx'));
const AppPopup = fetchedPart(() => import('./app-popup.tsx'));

/** Where the comments are beside the video (player.css). */
const wide = '(width >= 1100px) and (height >= 34rem)';

/** A video with at most this ratio of width to height leaves room beside it on a landscape screen. */
const tall = 0.6;

interface PlayerProps extends PlayerState {
  /** Which reel is the first one is known once the page is hydrated. */
  undecided: boolean;
  /** The address still names a reel of the list before. */
  isElsewhere: boolean;
  /** Plays another list. */
  onList: (list: PlayerState) => void;
}

/** The full-screen player (specification §2, /videoplayer). */
export function Player({ undecided, onList, ...props }: PlayerProps) {
  const text = useText();
  const playlist = usePlaylist(props);
  const { videos, reel, index, lastMove, showing, goesOn, isUpToDate, waitsFor, leave, fetchMore } = playlist;
  /** What a tab says in place of a list; a move goes on with the list before. */
  const [said, setSaid] = useState<ReactNode>();
  const move = (by: 1 | -1) => (said ? setSaid(undefined) : playlist.move(by));
  const { user } = useSession();
  const sound = useSound();
  const autoplay = useAutoplay();
  const captions = useCaptions(reel?.captionTracks ?? []);
  const [pausedShowing, setPausedShowing] = useState<number>();
  const own = useOwn('work', reel?._id);
  const { opened, press: pressWork, close } = useInteractions();
  const press = (action: Action, tapped?: Point) =>
    reel && pressWork({ ...reel, kind: 'reel' }, action, tapped);
  // The address may ask for a comment (comments.tsx).
  const openComments = useEffectEvent(() => {
    if (location.hash && !props.isElsewhere && !matchMedia(wide).matches) press('comment');
  });
  useEffect(() => openComments(), []);
  /** Deleting one's own reel, or reporting somebody else's. */
  const [removing, setRemoving] = useState(false);
  // A dialog is open, or the person is up to date, and the video waits.
  const asked = opened !== undefined || removing;
  const isCovered = isUpToDate || said !== undefined;
  const waiting = asked || isCovered;
  const isWide = useMedia(wide);
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);

  // A pause applies to the current video only; the next video plays.
  const paused = pausedShowing === showing;
  const pause = () => setPausedShowing(showing);
  const play = () => {
    setPausedShowing(undefined);
    // The press is what the browser requires for sound.
    if (sound.blocked) sound.toggle();
  };
  const togglePause = paused ? play : pause;
  const onTap = useTaps(showing, {
    onTap: isCovered ? () => move(1) : sound.blocked && !paused ? sound.toggle : togglePause,
    // The first of the two taps has paused the video.
    onDouble: (point) => {
      setPausedShowing(undefined);
      press('like', point);
    },
  });
  const isOnline = useOnline();
  const waits = useBuffering(video);
  const { trouble, retry } = usePlaybackError(
    video,
    (one) => void (paused || waiting || start(one, { sound: sound.refused, play: pause })),
  );
  const isBroken = trouble === 'broken';
  // The feed goes on with what this device has seen, which only the browser knows.
  const hasNext = undecided || videos.length > 1 || goesOn;
  const movesOn = useSkipBroken(isBroken && hasNext && !asked, video, () => move(1));
  const seek = (seconds: number) => {
    if (video) video.currentTime = Math.min(Math.max(0, video.currentTime + seconds), video.duration || 0);
  };
  const toggleCaptions = captions.tracks.length > 0 ? captions.toggle : undefined;
  usePlayerKeys(!asked, { move, seek, togglePause, toggleSound: sound.toggle, toggleCaptions, leave });

  // After server rendering the current video loads first; its neighbours load when the browser is idle.
  const hydrated = useHydrated();
  const [settled, setSettled] = useState(hydrated);
  useEffect(() => runWhenIdle(() => startTransition(() => setSettled(true))), []);
  const slides = slidesAround(videos, { index, lastMove, goesOn });
  const settledSlides = useDeferredValue(slides);
  const tryAgain = (onClick: () => void) => ({ label: 'player.retry', onClick }) as const;
  const nextVideo = hasNext ? ({ label: 'player.next', onClick: () => move(1) } as const) : undefined;
  const held = isBroken ? (
    <PlaybackMessage
      why={movesOn ? 'player.brokenNext' : 'player.broken'}
      icon={TriangleAlert}
      action={nextVideo}
    />
  ) : trouble === 'lost' || (waits && !isOnline) ? (
    <PlaybackMessage
      why={isOnline ? 'player.lost' : 'player.offline'}
      icon={WifiOff}
      passes
      action={tryAgain(retry)}
    />
  ) : waitsFor === 'network' ? (
    <PlaybackMessage why="player.offline" icon={WifiOff} passes />
  ) : waitsFor === 'retry' ? (
    <PlaybackMessage why="player.listLost" icon={WifiOff} action={tryAgain(() => void fetchMore())} />
  ) : undefined;
  const isOwn = user !== undefined && user?._id === reel?.userId;
  const isLoading = waits || waitsFor === 'page';
  const playButton = (
    <RoundButton icon={Play} label={text('player.play')} onClick={onTap} className="player-play" />
  );
  const overlay = reel && (
    <div
      className="player-over"
      data-upright={reel.height > reel.width || undefined}
      data-tall={reel.width / reel.height < tall || undefined}
      style={{ '--ratio': reel.width > 0 && reel.height > 0 ? reel.width / reel.height : 9 / 16 } as object}
    >
      <Watching reel={undecided || isUpToDate ? undefined : reel} {...{ showing, video }} />
      <TopBar
        sound={sound}
        captions={captions}
        autoplay={autoplay}
        leave={leave}
        reel={reel}
        isRanked={playlist.rest?.list.of === 'forYou'}
        isOwn={isOwn}
        onRemove={() => setRemoving(true)}
        onLeaveOut={playlist.leaveOut}
        tabs={
          settled && (
            <PlayerTabs
              list={playlist.rest?.list}
              said={said}
              onSay={setSaid}
              onList={(list) => onList({ ...list, direct: playlist.direct })}
            />
          )
        }
      />
      {said ?? (isUpToDate && <UpToDate onGoOn={() => move(1)} />)}
      <div className="player-body" hidden={said !== undefined}>
        <div className="player-middle">
          <div className="player-now">
            {held ?? <div className="player-centre">{isLoading ? <Loading /> : paused && playButton}</div>}
          </div>
          {captions.shown && (
            <CaptionLines video={video} language={captions.shown.language} className="player-captions" />
          )}
        </div>
        <Details reel={reel} />
        <Actions reel={reel} own={own} onPress={press} {...{ hasNext, move }} />
      </div>
      <div className="player-progress needs-script" hidden={said !== undefined}>
        <ProgressBar video={video} />
      </div>
    </div>
  );
  // The video moves at once; all else follows in small steps (docs/performance.md, `motion`).
  const deferredOverlay = useDeferredValue(overlay);
  if (!reel) return <NoReelYet held={held} leave={leave} />;
  const ActionDialog = controls.ActionDialog ?? AppPopup;
  return (
    <div className="player-page fixed inset-0 bg-night">
      <section
        aria-label={text('player.label')}
        className="player on-night relative overflow-hidden bg-night text-night-text"
      >
        <Stage
          slides={slidesInMotion(slides, settled || showing > 0 ? settledSlides : [])}
          paused={paused || waiting}
          active={!asked}
          onStage={setVideo}
          onHeld={pause}
          onEnd={autoplay.isOn && hasNext ? () => move(1) : undefined}
          {...{ sound, move, onTap }}
        />
        <h1 className="sr-only">
          {text(reel.caption ? 'player.video' : 'player.videoUntitled', { ...reel })}
        </h1>
        {deferredOverlay ?? overlay}
      </section>
      {isWide && settled && (
        <CommentsColumn
          reel={reel}
          commentCount={own?.commentCount ?? reel.commentCount}
          onComment={() => press('comment')}
        />
      )}
      {removing &&
        (isOwn ? (
          <DeleteReel reel={reel} onDelete={leave} onClose={() => setRemoving(false)} />
        ) : (
          <ReportDialog kind="reel" id={reel._id} onClose={() => setRemoving(false)} />
        ))}
      {opened && <ActionDialog reel={reel} action={opened} onClose={close} />}
    </div>
  );
}

/** While the first new reel is looked for. */
function NoReelYet({ held, leave }: { held: ReactNode; leave: () => void }) {
  const text = useText();
  return (
    <div className="player-page fixed inset-0 bg-night">
      <section aria-label={text('player.label')} className="player on-night text-night-text">
        <div className="player-centre absolute inset-0 grid place-content-center">{held ?? <Loading />}</div>
        <RoundButton icon={ArrowLeft} label={text('player.back')} onClick={leave} className="relative m-3" />
      </section>
    </div>
  );
}
