import { useState } from 'react';
import { Link } from 'react-router';
import { isApiError } from '#contract/api-error.ts';
import { headOf } from '../features/chrome/head.ts';
import { EndOfList } from '../features/lists/end-of-list.tsx';
import { ListError } from '../features/lists/list-error.tsx';
import { useList } from '../features/lists/use-list.ts';
import { fetchedPart } from '../features/offline/fetched-part.tsx';
import { PostCard } from '../features/posts/post-card.tsx';
import { postOptions, postPage } from '../features/posts/posts.ts';
import { PostsLoading } from '../features/posts/posts-loading.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { pageCall } from '../page-call.ts';
import { useText } from '../text.tsx';
import { buttonLook } from '../ui/button.tsx';
import { EmptyState } from '../ui/quiet-state.tsx';
import type { Route } from './+types/show-posts';

await loadPart('photo');

const Zoom = fetchedPart(() => import('../features/posts/zoom.tsx'));
const gridLook = 'grid gap-4 sm:grid-cols-2 sm:gap-5 xl:grid-cols-3';
const startOf = (request: Request) => new URL(request.url).searchParams.get('cursor');

export async function loader({ request, context }: Route.LoaderArgs) {
  const start = startOf(request);
  return { start, first: await postPage(pageCall(context), undefined, start) };
}

/** In the browser the page opens at once, with the cached list or placeholders. */
export const clientLoader = ({ request }: Route.ClientLoaderArgs) => ({
  start: startOf(request),
  first: null,
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  const newest = loaderData?.first?.items[0];
  return headOf({
    title: i18n._('posts.pageTitle'),
    description: i18n._('posts.lead'),
    site,
    path: '/ShowPosts',
    image: newest?.card,
  });
}

/** All public posts, newest first (specification §2). */
export default function ShowPosts({ loaderData: { start, first } }: Route.ComponentProps) {
  const text = useText();
  const list = useList(postOptions(undefined, start, first));
  const [zoomed, setZoomed] = useState<number>();
  return (
    <div className="wrap-page max-w-grid py-6 sm:py-8">
      <h1 className="text-3xl sm:text-4xl">{text('posts.title')}</h1>
      <p className="mb-6 mt-2 max-w-[60ch] text-soft sm:text-lg">{text('posts.lead')}</p>
      {list.isPending && <PostsLoading className={gridLook} />}
      {!list.items && list.isError && (
        <ListError
          title={text('posts.error', {
            message: isApiError(list.error) ? list.error.sentence : text('wrong.text'),
          })}
          text={text('posts.error.then')}
          list={list}
        />
      )}
      {list.items?.length === 0 && (
        <EmptyState
          drawing="photos"
          title={text('posts.empty.title')}
          text={text('posts.empty.text')}
          action={
            <Link to="/" className={buttonLook('primary')}>
              {text('notFound.home')}
            </Link>
          }
        />
      )}
      {list.items && list.items.length > 0 && (
        <>
          <ul className={gridLook}>
            {list.items.map((post, place) => (
              <li key={post._id}>
                <PostCard post={post} early={place < 1} onZoom={() => setZoomed(place)} />
              </li>
            ))}
          </ul>
          <EndOfList
            list={list}
            pageAt={(cursor) => `/ShowPosts?cursor=${cursor}`}
            failed={text('posts.failed')}
            end={text('posts.end')}
          />
        </>
      )}
      {zoomed !== undefined && list.items && (
        <Zoom posts={list.items} index={zoomed} onClose={() => setZoomed(undefined)} />
      )}
    </div>
  );
}
