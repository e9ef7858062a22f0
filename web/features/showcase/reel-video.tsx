import { useRef, useState } from 'react';
import { crossOriginOf, TrackElements } from '../captions/track-elements.tsx';
import { useCaptions } from '../captions/use-captions.ts';
import type { FeedReel } from '../feed/feed.ts';
import { downloadSpeed } from '../player/download-speed.ts';
import { roomOf, videoFor } from '../player/rendition.ts';
import { useReleaseVideo } from '../player/use-release-video.ts';

/** Maximum size: the width of the dialog, and a share of the screen's height. */
const roomInOverlay = () => roomOf(Math.min(496, innerWidth - 72), innerHeight * 0.62);

/**
 * A reel with the browser's own controls: the best rendition for the network and the size of the overlay, captions as chosen in the player.
 */
export function ReelVideo({ reel, label }: { reel: FeedReel; label: string }) {
  const ref = useRef<HTMLVideoElement>(null);
  useReleaseVideo(ref);
  // Chosen once, so that the running video keeps its file.
  const [src] = useState(() => videoFor(reel, downloadSpeed(), roomInOverlay()));
  const { shown } = useCaptions(reel.captionTracks);
  const [first] = useState(shown);
  return (
    // biome-ignore lint/a11y/useMediaCaption: it has the captions that its creator added
    <video
      ref={ref}
      src={src}
      crossOrigin={crossOriginOf(reel.captionTracks)}
      poster={reel.posterurl || undefined}
      controls
      autoPlay
      loop
      playsInline
      aria-label={label}
      className="absolute inset-0 size-full object-contain"
    >
      <TrackElements tracks={reel.captionTracks} on={first} />
    </video>
  );
}
