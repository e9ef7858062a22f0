import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-router';
import type { CallEndpoint } from '#contract/call.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { PhotoTiles } from './picture.tsx';
import { allPosts, postPage, type ShownPost } from './posts.ts';

const shown = 6;

/** A person's newest photos, one more than are shown beside one of them. */
export async function newestPhotos(caller: CallEndpoint, userId: string): Promise<ShownPost[]> {
  const { items } = await postPage(caller, userId, null);
  return items.slice(0, shown + 1);
}

interface MorePhotosProps {
  post: ShownPost;
  /** From the server; null if the page was opened in the browser. */
  newest: ShownPost[] | null;
}

/** Other photos of the same person. */
export function MorePhotos({ post: { _id, userId, username }, newest }: MorePhotosProps) {
  const text = useText();
  const titleId = useId();
  const { data = [] } = useQuery({
    queryKey: [...allPosts, 'newest', userId],
    queryFn: () => newestPhotos(call, userId),
    ...(newest ? { initialData: newest } : {}),
  });
  const others = data.filter((one) => one._id !== _id).slice(0, shown);
  if (others.length === 0) return null;
  return (
    <section aria-labelledby={titleId} className="mt-8">
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h2 id={titleId} className="text-xl">
          {text('photo.more', { username })}
        </h2>
        <Link
          to={`/user/${userId}?tab=posts`}
          state={{ username }}
          className="text-link flex min-h-11 shrink-0 items-center"
        >
          {text('photo.all')}
        </Link>
      </div>
      <PhotoTiles posts={others} />
    </section>
  );
}
