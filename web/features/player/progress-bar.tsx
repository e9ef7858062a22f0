import { useRef } from 'react';
import { useText } from '#web/text.tsx';
import { useProgress } from './use-progress.ts';

/** Shows the position in the video, and lets a person seek. */
export function ProgressBar({ video }: { video: HTMLVideoElement | null }) {
  const text = useText();
  const fill = useRef<HTMLSpanElement>(null);
  const bar = useRef<HTMLInputElement>(null);
  useProgress(video, fill, bar);

  return (
    <div className="relative">
      <span className="scrubber-track">
        <span ref={fill} className="scrubber-fill" />
      </span>
      <input
        ref={bar}
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
    </div>
  );
}
