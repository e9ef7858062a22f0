import { ImageOff } from 'lucide-react';
import { useCallback, useState } from 'react';
import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { classNames } from '#web/ui/class-names.ts';
import type { ShownPost } from './posts.ts';

/** The fields that are needed for a picture of a post or story. */
export type ShownPicture = Pick<
  ShownPost,
  'imageurl' | 'renditions' | 'avif' | 'placeholder' | 'width' | 'height' | 'caption' | 'username'
>;

interface PictureProps {
  post: ShownPicture;
  /** The `sizes` attribute of the image. */
  sizes: string;
  /** Whether it is on the first screen; then it is loaded at once. */
  early?: boolean;
  /** Called once the picture is there, or cannot be shown. */
  onEnd?: (end: 'shown' | 'broken') => void;
  className?: string;
}

/** A post's picture with a blurred placeholder. */
export function Picture({ post, sizes, early, onEnd, className }: PictureProps) {
  const text = useText();
  const [broken, setBroken] = useState(false);
  const fail = useCallback(() => {
    setBroken(true);
    onEnd?.('broken');
  }, [onEnd]);
  // The image may have been loaded, or have failed, before hydration; then there is no event.
  const look = useCallback(
    (image: HTMLImageElement | null) => {
      if (!image?.complete || !image.currentSrc) return;
      if (image.naturalWidth === 0) fail();
      else onEnd?.('shown');
    },
    [onEnd, fail],
  );
  if (broken) {
    return (
      <span className="absolute inset-0 grid place-content-center justify-items-center gap-2 bg-night-raised text-night-soft">
        <ImageOff aria-hidden className="size-8" />
        {text('post.broken')}
      </span>
    );
  }
  return (
    <picture>
      {post.avif && <source type="image/avif" srcSet={srcSetOf(post.avif)} sizes={sizes} />}
      <source type="image/webp" srcSet={srcSetOf(post.renditions)} sizes={sizes} />
      <img
        ref={look}
        src={post.imageurl}
        alt={pictureText(text, post)}
        width={post.width}
        height={post.height}
        loading={early ? 'eager' : 'lazy'}
        decoding="async"
        onLoad={() => onEnd?.('shown')}
        onError={fail}
        className={classNames('absolute inset-0 size-full bg-cover bg-center object-cover', className)}
        style={{ backgroundImage: post.placeholder && `url(${post.placeholder})` }}
      />
    </picture>
  );
}

const srcSetOf = (renditions: ShownPicture['renditions']) =>
  renditions.map(({ url, width }) => `${url} ${width}w`).join(', ');

/** The alternative text of a picture. */
export function pictureText(
  text: ReturnType<typeof useText>,
  { caption, username }: Pick<ShownPicture, 'caption' | 'username'>,
): string {
  return caption ? text('post.picture', { caption, username }) : text('post.pictureUntitled', { username });
}

/** Photos as tiles, three in a row, on a wide page six; each is a link to its page. */
export function PhotoTiles({ posts, isNarrow = false }: { posts: ShownPost[]; isNarrow?: boolean }) {
  const text = useText();
  return (
    <ul className={classNames('grid grid-cols-3 gap-1.5', !isNarrow && 'sm:gap-3 lg:grid-cols-6')}>
      {posts.map((post) => (
        <li key={post._id}>
          <Link
            to={`/post/${post._id}`}
            aria-label={pictureText(text, post)}
            className="on-night relative block aspect-square overflow-hidden rounded-tile bg-night"
          >
            <Picture post={post} sizes="(width < 64rem) 33vw, 13rem" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
