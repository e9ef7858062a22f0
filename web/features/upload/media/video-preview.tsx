import { Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useText } from '#web/text.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { frameTime } from './frame-time.ts';
import type { PreviewProps } from './media.ts';
import { pictureOf } from './take-thumbnail.ts';
import { useCover } from './use-cover.ts';

/** Plays the chosen video and shows its thumbnail. */
export function VideoPreview({ picked: { file, thumbnail, coverAt }, onCover }: PreviewProps) {
  const text = useText();
  const video = useRef<HTMLVideoElement>(null);
  const [unseen, setUnseen] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const [paused, setPaused] = useState(false);
  const cover = useCover(thumbnail);
  useEffect(() => {
    const url = URL.createObjectURL(file);
    if (video.current) video.current.src = url;
    setUnseen(false);
    setSeconds(0);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  /** A browser that saves power or data refuses even a muted video until it is pressed. */
  const play = () => void video.current?.play().catch(() => setPaused(true));
  return (
    <>
      <video
        ref={video}
        muted
        loop
        playsInline
        poster={cover}
        aria-label={text('upload.preview', { name: file.name })}
        onError={() => setUnseen(true)}
        onLoadedMetadata={({ currentTarget }) => {
          setSeconds(currentTarget.duration);
          play();
        }}
        onPlay={() => setPaused(false)}
        onPause={() => setPaused(true)}
        onSeeked={({ currentTarget: shown }) => {
          const coverAt = shown.currentTime;
          const take = () => {
            // A looping video also fires `seeked`; only a seek by the person pauses it.
            if (shown.paused && shown.currentTime === coverAt)
              onCover?.({ thumbnail: pictureOf(shown), coverAt });
          };
          // A busy browser fires `seeked` while it still shows the frame before; the new frame is taken when it comes.
          shown.requestVideoFrameCallback?.(take);
          take();
        }}
        className={classNames('absolute inset-0 size-full object-contain', unseen && 'invisible')}
      />
      {cover && unseen && (
        <img
          src={cover}
          alt={text('upload.coverAlt')}
          className="absolute inset-0 size-full object-contain"
        />
      )}
      {cover && !unseen && (
        <figure className="absolute right-3 top-3 w-16 overflow-hidden rounded-control bg-night/85 text-center text-[0.8125rem] shadow-raised outline-1 outline-night-text/60">
          <img src={cover} alt={text('upload.coverAlt')} className="aspect-9/16 w-full object-cover" />
          <figcaption className="py-0.5">{text('upload.cover')}</figcaption>
        </figure>
      )}
      {onCover && !unseen && seconds > 0 && Number.isFinite(seconds) && (
        <label className="absolute left-3 right-24 top-3 grid rounded-control bg-night/85 px-3 pt-1.5 text-[0.9375rem]">
          {text('upload.chooseCover')}
          <input
            type="range"
            min={0}
            max={seconds}
            step={0.1}
            defaultValue={coverAt ?? frameTime(seconds)}
            onChange={({ target }) => {
              video.current?.pause();
              if (video.current) video.current.currentTime = target.valueAsNumber;
            }}
            className="h-11 w-full accent-marigold -outline-offset-8"
          />
        </label>
      )}
      {paused && !unseen && (
        <IconButton label={text('player.play')} onClick={play} className="relative size-16 bg-night/85">
          <Play aria-hidden className="size-7" />
        </IconButton>
      )}
      {unseen && (
        <p className="absolute inset-x-6 top-2/5 text-balance rounded-control bg-night/85 px-3 py-2 text-center">
          {text('upload.noPreview')}
        </p>
      )}
    </>
  );
}
