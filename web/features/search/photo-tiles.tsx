import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { Picture, pictureText } from '../posts/picture.tsx';
import type { ShownPost } from '../posts/posts.ts';

/** Photos as tiles; each is a link to its page. */
export function PhotoTiles({ posts }: { posts: ShownPost[] }) {
  const text = useText();
  return (
    <ul className="grid grid-cols-3 gap-1.5 sm:gap-3 lg:grid-cols-6">
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
