import { ClosedCaption, Pause, Play, Volume2, VolumeX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useText } from '#web/text.tsx';
import { CaptionLines } from '../captions/caption-lines.tsx';
import { crossOriginOf, TrackElements } from '../captions/track-elements.tsx';
import { useCaptions } from '../captions/use-captions.ts';
import type { FeedReel } from '../feed/feed.ts';
import { downloadSpeed } from '../player/download-speed.ts';
import '../player/player.css';
import { ProgressBar } from '../player/progress-bar.tsx';
import { roomOf, videoFor } from '../player/rendition.ts';
import { RoundButton } from '../player/round-button.tsx';
import { usePlayback } from '../player/use-playback.ts';
import { useSound } from '../player/use-sound.ts';

/** Maximum size: the width of the dialog, and a share of the screen's height. */
const roomInOverlay = () => roomOf(Math.min(496, innerWidth - 72), innerHeight * 0.62);

/**
 * A reel that plays at once, in the best rendition for the network and the size of the overlay, with sound and captions as
 * chosen in the player. A tap pauses it.
 */
export function ReelVideo({ reel, label }: { reel: FeedReel; label: string }) {
  const text = useText();
  const ref = useRef<HTMLVideoElement>(null);
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  useEffect(() => setVideo(ref.current), []);
  const [paused, setPaused] = useState(false);
  const sound = useSound();
  const captions = useCaptions(reel.captionTracks ?? []);
  // Chosen once, so that the running video keeps its file.
  const [src] = useState(() => videoFor(reel, downloadSpeed(), roomInOverlay()));
  usePlayback(ref, { playing: !paused, onScreen: true, sound, onHeld: () => setPaused(true) });
  const toggle = () => {
    // The press is what the browser requires for sound.
    if (paused && sound.blocked) sound.toggle();
    setPaused(!paused);
  };
  return (
    <div className="on-night @container absolute inset-0 text-night-text">
      {/* biome-ignore lint/a11y/useMediaCaption: it has the captions that its creator added */}
      <video
        ref={ref}
        src={src}
        crossOrigin={crossOriginOf(reel.captionTracks)}
        poster={reel.posterurl || undefined}
        loop
        playsInline
        aria-label={label}
        onClick={toggle}
        className="absolute inset-0 size-full object-contain"
      >
        <TrackElements tracks={reel.captionTracks} />
      </video>
      <div className="pointer-events-none absolute inset-x-0 bottom-0 grid gap-1 p-2">
        <CaptionLines video={video} language={captions.shown?.language} className="player-captions" />
        <div className="pointer-events-auto flex items-center justify-between gap-2">
          <RoundButton
            icon={paused ? Play : Pause}
            label={text(paused ? 'player.play' : 'player.pause')}
            onClick={toggle}
          />
          <div className="hidden min-w-0 flex-1 @min-[13rem]:block">
            <ProgressBar video={video} />
          </div>
          {captions.tracks.length > 0 && (
            <RoundButton
              icon={ClosedCaption}
              label={text('captions.label')}
              aria-pressed={captions.shown !== undefined}
              onClick={captions.toggle}
              className={captions.shown && 'text-marigold'}
            />
          )}
          <RoundButton
            icon={sound.muted ? VolumeX : Volume2}
            label={text(sound.muted ? 'player.unmute' : 'player.mute')}
            onClick={sound.toggle}
          />
        </div>
      </div>
    </div>
  );
}
