import { useEffect, useRef } from 'react';
import { useText } from '../../text.tsx';

/** How far the video is; also the way to another moment of it. Written straight to the page, sixty times a second. */
export function ProgressBar({ video }: { video: HTMLVideoElement | null }) {
  const text = useText();
  const ref = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const bar = ref.current;
    if (!bar || !video) return;
    let frame = 0;
    const draw = () => {
      const { currentTime, duration } = video;
      const share = duration > 0 && Number.isFinite(duration) ? currentTime / duration : 0;
      bar.valueAsNumber = Math.round(share * 1000);
      bar.style.setProperty('--at', `${share * 100}%`);
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [video]);

  return (
    <input
      ref={ref}
      type="range"
      min={0}
      max={1000}
      defaultValue={0}
      aria-label={text('player.progress')}
      onChange={(event) => {
        if (video && Number.isFinite(video.duration)) {
          video.currentTime = (event.target.valueAsNumber / 1000) * video.duration;
        }
      }}
      className="scrubber"
    />
  );
}
