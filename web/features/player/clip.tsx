import { useEffect, useRef, useState } from 'react';
import { useText } from '../../text.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useHydrated } from '../../ui/hydrated.ts';
import { useJumps } from '../../ui/use-jumps.ts';
import type { Slide } from './playlist.ts';
import { usePlayback } from './use-playback.ts';
import type { Sound } from './use-sound.ts';

interface ClipProps extends Slide {
  paused: boolean;
  sound: Sound;
  /** Hands the video on the screen to the progress bar. */
  onStage: (video: HTMLVideoElement | null) => void;
  onBroken: (id: string) => void;
}

/** One video on its own blurred extension; the poster stands until the first frame is there. */
export function Clip({ reel, offset, paused, sound, onStage, onBroken }: ClipProps) {
  const text = useText();
  const hydrated = useHydrated();
  const ref = useRef<HTMLVideoElement>(null);
  const [hasFrame, setHasFrame] = useState(false);
  const onScreen = offset === 0;
  const jumps = useJumps(offset, 2);
  usePlayback(ref, { playing: onScreen && !paused, onScreen, sound });

  useEffect(() => {
    if (!onScreen) return;
    onStage(ref.current);
    return () => onStage(null);
  }, [onScreen, onStage]);

  // Its first frame or its error may have come before this script.
  useEffect(() => {
    if (ref.current?.error) onBroken(reel._id);
    if ((ref.current?.readyState ?? 0) >= HTMLMediaElement.HAVE_CURRENT_DATA) setHasFrame(true);
  }, [reel._id, onBroken]);

  const upright = reel.height > reel.width;
  const picture = `absolute inset-0 size-full ${upright ? 'object-cover sm:object-contain' : 'object-contain'}`;
  return (
    <div
      inert={!onScreen}
      className={classNames('clip absolute inset-0 overflow-hidden bg-night', jumps && 'clip-jumps')}
      style={{ translate: `0 ${offset * 100}%` }}
    >
      <div
        className="absolute -inset-12 bg-cover bg-center opacity-70 blur-2xl"
        style={{ backgroundImage: reel.placeholder && `url(${reel.placeholder})` }}
      />
      <div className="absolute inset-0 bg-night/40" />
      {reel.posterurl && <img src={reel.posterurl} alt="" className={picture} />}
      {/* biome-ignore lint/a11y/useMediaCaption: what people upload comes without captions */}
      <video
        ref={ref}
        src={reel.videourl}
        poster={hydrated ? undefined : reel.posterurl || undefined}
        controls={!hydrated}
        loop
        playsInline
        preload="auto"
        aria-label={
          reel.caption ? text('player.video', { ...reel }) : text('player.videoUntitled', { ...reel })
        }
        onLoadedData={() => setHasFrame(true)}
        onError={() => onBroken(reel._id)}
        className={classNames(picture, hydrated && !hasFrame && 'opacity-0')}
      />
    </div>
  );
}
