import { useRef, useState } from 'react';
import { useReleaseVideo } from '../player/use-release-video.ts';

/** The muted video over its poster, visible from its first frame. */
export function Preview({ src }: { src: string }) {
  const [playing, setPlaying] = useState(false);
  const ref = useRef<HTMLVideoElement>(null);
  useReleaseVideo(ref);
  return (
    <video
      ref={ref}
      aria-hidden
      src={src}
      muted
      loop
      autoPlay
      playsInline
      disablePictureInPicture
      tabIndex={-1}
      onPlaying={() => setPlaying(true)}
      className={`absolute inset-0 size-full object-cover transition-opacity duration-200 ${playing ? '' : 'opacity-0'}`}
    />
  );
}
