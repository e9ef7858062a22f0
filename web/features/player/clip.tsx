import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useText } from '#web/text.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { useJumps } from '#web/ui/use-jumps.ts';
import { crossOriginOf, TrackElements } from '../captions/track-elements.tsx';
import { downloadSpeed } from './download-speed.ts';
import { usePlaybackMetrics } from './playback-metrics/use-playback-metrics.ts';
import type { PlayerSlide } from './preloaded-slides.ts';
import { bitrateOf, type Room, roomOf, rungOf, unmeasured, videoFor } from './rendition.ts';
import { useMeasureDownload } from './use-measure-download.ts';
import { usePlayback } from './use-playback.ts';
import type { Sound } from './use-sound.ts';

interface ClipProps extends PlayerSlide {
  paused: boolean;
  /** The current video has enough data, so its neighbours may load. */
  mayLoad: boolean;
  sound: Sound;
  /** Called when the current video stands still although it should play. */
  onHeld: () => void;
  /** Passes the current video's element to the progress bar. */
  onStage: (video: HTMLVideoElement | null) => void;
  /** Called at the end of the current video; without it, a video repeats. */
  onEnd: (() => void) | undefined;
  /** Called when the video can play through without stalling, or cannot play at all. */
  onEnough: (id: string) => void;
}

/** One video in front of a blurred copy of its poster. The poster is shown until the first frame is decoded. */
export function Clip({ reel, offset, paused, mayLoad, sound, onHeld, onStage, onEnd, onEnough }: ClipProps) {
  const text = useText();
  const hydrated = useHydrated();
  const ref = useRef<HTMLVideoElement>(null);
  const [hasFrame, setHasFrame] = useState(false);
  const onScreen = offset === 0;
  const jumps = useJumps(offset, 2);
  // The rendition is chosen once, so that the preloaded file is the one that plays. After hydration the server's choice stays.
  const upright = reel.height > reel.width;
  const [src] = useState(() =>
    hydrated ? videoFor(reel, downloadSpeed(), wholeScreen(upright)) : videoFor(reel, unmeasured),
  );
  const [served] = useState(!hydrated);
  const loads = onScreen || mayLoad;
  useMeasureDownload(ref, { src, bitrate: bitrateOf(reel, src), loads, onScreen });
  usePlaybackMetrics(ref, { onScreen, rendition: rungOf(reel, src), served });
  usePlayback(ref, { playing: onScreen && !paused, onScreen, sound, onHeld });

  // The native controls are removed before the next paint, because taps are now handled here.
  useLayoutEffect(() => {
    if (ref.current) ref.current.controls = false;
  }, []);

  // The server does not know what was chosen on this device.
  const repeats = !onEnd;
  useLayoutEffect(() => {
    if (ref.current) ref.current.loop = repeats;
  }, [repeats]);

  useEffect(() => {
    if (!onScreen) return;
    onStage(ref.current);
    return () => onStage(null);
  }, [onScreen, onStage]);

  // The first frame or an error may have come before hydration.
  useEffect(() => {
    if ((ref.current?.readyState ?? 0) >= HTMLMediaElement.HAVE_CURRENT_DATA) setHasFrame(true);
    if (ref.current?.error || ref.current?.readyState === HTMLMediaElement.HAVE_ENOUGH_DATA)
      onEnough(reel._id);
  }, [reel._id, onEnough]);

  const picture = classNames('clip-picture', upright && 'clip-upright');
  return (
    <div
      inert={!onScreen}
      className={classNames('clip absolute inset-0 overflow-hidden bg-night', jumps && 'clip-jumps')}
      style={{ translate: `0 ${offset * 100}%` }}
    >
      <div
        className="absolute -inset-12 bg-cover bg-center opacity-70 blur-2xl plain:blur-none"
        style={{ backgroundImage: reel.placeholder && `url(${reel.placeholder})` }}
      />
      <div className="absolute inset-0 bg-night/40" />
      {reel.posterurl && (
        <img
          src={reel.posterurl}
          alt=""
          className={picture}
          // The blurred background looks better than the browser's icon for a missing picture.
          onError={({ currentTarget }) => (currentTarget.style.visibility = 'hidden')}
        />
      )}
      {/* biome-ignore lint/a11y/useMediaCaption: it has the captions that its creator added */}
      <video
        ref={ref}
        src={src}
        crossOrigin={crossOriginOf(reel.captionTracks)}
        poster={hydrated ? undefined : reel.posterurl || undefined}
        controls={!hydrated}
        loop
        onEnded={onScreen ? onEnd : undefined}
        playsInline
        preload={loads ? 'auto' : 'none'}
        aria-label={
          reel.caption ? text('player.video', { ...reel }) : text('player.videoUntitled', { ...reel })
        }
        onLoadedData={() => setHasFrame(true)}
        onCanPlayThrough={() => onEnough(reel._id)}
        onError={() => onEnough(reel._id)}
        className={classNames(picture, hydrated && !hasFrame && 'opacity-0')}
      >
        <TrackElements tracks={reel.captionTracks} />
      </video>
    </div>
  );
}

/** The size of the player, which fills the screen. A portrait video on a portrait screen is cropped to fill it (player.css). */
function wholeScreen(upright: boolean): Room {
  return roomOf(innerWidth, innerHeight, upright && matchMedia('(max-aspect-ratio: 7/10)').matches);
}
