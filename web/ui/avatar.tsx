import { useCallback, useState } from 'react';
import { classNames } from './class-names.ts';

interface AvatarProps {
  src: string | undefined;
  /** The username. Its first letter is shown if the picture is missing or cannot be loaded. */
  name: string;
  className?: string;
}

/** A person's picture, by default 40 px. It has no alternative text, because the name is always shown beside it. */
export function Avatar({ src, name, className = 'size-10' }: AvatarProps) {
  const [broken, setBroken] = useState<string>();
  // If the picture failed to load before hydration, no error event follows.
  const look = useCallback((image: HTMLImageElement | null) => {
    if (image?.complete && image.naturalWidth === 0) setBroken(image.getAttribute('src') ?? '');
  }, []);
  const shape = classNames('shrink-0 rounded-full bg-night-raised object-cover ring-1 ring-line', className);

  if (src && src !== broken) {
    return (
      <img
        ref={look}
        src={src}
        alt=""
        width={192}
        height={192}
        loading="lazy"
        decoding="async"
        className={shape}
        onError={() => setBroken(src)}
      />
    );
  }
  return (
    <span
      aria-hidden
      className={classNames(shape, 'grid place-items-center pt-[0.08em] font-bold text-marigold')}
    >
      {[...name.trim()][0]?.toLocaleUpperCase() ?? '?'}
    </span>
  );
}
