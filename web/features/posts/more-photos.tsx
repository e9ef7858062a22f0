import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import type { CallEndpoint } from '#contract/call.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { PhotoTiles } from './picture.tsx';
import { allPosts, postPage, type ShownPost } from './posts.ts';

/** Four rows of three. */
const shown = 12;

/** What is shown beside a photo. */
export interface AroundPhoto {
  /** The person's newest photos; the photo itself may be among them. */
  own: ShownPost[];
  /** The newest photos of others, in the places that the person's leave. */
  others: ShownPost[];
}

export async function aroundPhoto(caller: CallEndpoint, userId: string): Promise<AroundPhoto> {
  const { items: own } = await postPage(caller, userId, null);
  if (own.length >= shown) return { own, others: [] };
  const { items } = await postPage(caller, undefined, null);
  return { own, others: items.filter((post) => post.userId !== userId) };
}

interface MorePhotosProps {
  post: ShownPost;
  /** From the server; null if the page was opened in the browser. */
  first: AroundPhoto | null;
}

/** Other photos of the same person, and where these are few, of others. */
export function MorePhotos({ post: { _id, userId, username }, first }: MorePhotosProps) {
  const text = useText();
  const { data } = useQuery({
    queryKey: [...allPosts, 'around', userId],
    queryFn: () => aroundPhoto(call, userId),
    ...(first ? { initialData: first } : {}),
  });
  if (!data) return null;
  const own = data.own.filter((one) => one._id !== _id);
  // Whole rows.
  const others = data.others.slice(0, shown - Math.ceil(own.length / 3) * 3);
  return (
    <>
      {own.length > 0 && (
        <Photos
          title={text('photo.more', { username })}
          photos={own}
          all={
            <Link to={`/user/${userId}?tab=posts`} state={{ username }} className={allLook}>
              {text('photo.all')}
            </Link>
          }
        />
      )}
      {others.length > 0 && (
        <Photos
          title={text('photo.newest')}
          photos={others}
          all={
            <Link to="/ShowPosts" className={allLook}>
              {text('photo.all')}
            </Link>
          }
        />
      )}
    </>
  );
}

const allLook = 'text-link flex min-h-11 shrink-0 items-center';

function Photos({ title, photos, all }: { title: string; photos: ShownPost[]; all: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className="mb-1 flex items-baseline justify-between gap-4">
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        {all}
      </div>
      <PhotoTiles posts={photos} isNarrow />
    </section>
  );
}
