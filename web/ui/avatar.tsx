import { useCallback, useState } from 'react';
import { classNames } from './class-names.ts';

interface AvatarProps {
  src: string | undefined;
  /** Whose. Its first letter stands where the picture is missing or broken: of a person that is the username, everywhere. */
  name: string;
  className?: string;
}

/** A person's picture, 40 px unless told. Says nothing itself: the name stands beside it. */
export function Avatar({ src, name, className = 'size-10' }: AvatarProps) {
  const [broken, setBroken] = useState<string>();
  // A picture may have failed before this script ran: then no error event comes any more.
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
