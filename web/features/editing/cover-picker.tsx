import { useRef } from 'react';
import { useText } from '#web/text.tsx';
import type { FeedReel } from '../feed/feed.ts';
import { frameTime } from '../upload/media/frame-time.ts';

interface CoverPickerProps {
  reel: FeedReel;
  onChoose: (second: number) => void;
}

/** Shows the cover of a reel, and lets its owner choose another frame. */
export function CoverPicker({ reel, onChoose }: CoverPickerProps) {
  const text = useText();
  const video = useRef<HTMLVideoElement>(null);
  const { renditions, videourl, thumbnillurl, duration } = reel;
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-4">
      <video
        ref={video}
        src={renditions[0]?.url ?? videourl}
        poster={thumbnillurl}
        muted
        playsInline
        preload="metadata"
        aria-label={text('upload.coverAlt')}
        className="aspect-9/16 w-20 rounded-control bg-night object-cover"
      />
      <label className="grid font-semibold">
        {text('upload.chooseCover')}
        <input
          type="range"
          min={0}
          max={duration}
          step={0.1}
          defaultValue={frameTime(duration)}
          onChange={({ target }) => {
            if (video.current) video.current.currentTime = target.valueAsNumber;
            onChoose(target.valueAsNumber);
          }}
          className="h-11 w-full accent-accent"
        />
      </label>
    </div>
  );
}
