import { isRouteErrorResponse, Link } from 'react-router';
import { call } from '../api.ts';
import { headOf } from '../features/chrome/head.ts';
import { shownReels } from '../features/feed/feed.ts';
import { ReelGrid } from '../features/feed/reel-grid.tsx';
import { EndOfList } from '../features/lists/end-of-list.tsx';
import { useList } from '../features/lists/use-list.ts';
import { nextPagesAfter } from '../features/player/next-pages.ts';
import { PhotoTiles } from '../features/posts/picture.tsx';
import { type TaggedWorks, tagFor } from '../features/search/found.ts';
import { currentToken } from '../features/session/session.ts';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { or404 } from '../page-call.ts';
import { revalidated } from '../page-headers.ts';
import { pageContext } from '../server-context.ts';
import { useText } from '../text.tsx';
import { buttonLook } from '../ui/button.tsx';
import { EmptyState } from '../ui/quiet-state.tsx';
import { hasHydrated } from '../ui/use-hydrated.ts';
import type { Route } from './+types/tag';

await Promise.all([loadPart('search'), loadPart('people')]);

/** It has to disappear within a second of its last work (decisions §3). */
export const headers = revalidated;

function askedIn(request: Request, tag: string) {
  const { searchParams } = new URL(request.url);
  const asked = searchParams.get('kind');
  const kind: 'reel' | 'post' | null = asked === 'reel' || asked === 'post' ? asked : null;
  return { tag, kind, cursor: kind && searchParams.get('cursor') };
}

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const asked = askedIn(request, params.tag);
  return { ...asked, found: await or404(tagFor(context.get(pageContext).call, asked)) };
}

/** The server's page is the same for everybody, so a signed-in person asks again: they may see other works. */
export async function clientLoader({ request, params, serverLoader }: Route.ClientLoaderArgs) {
  if (!hasHydrated() && !currentToken()) return await serverLoader();
  const asked = askedIn(request, params.tag);
  return { ...asked, found: await or404(tagFor(call, asked, request.signal)) };
}
clientLoader.hydrate = true as const;

export function meta({ matches, loaderData, params }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  if (!loaderData) return [{ title: i18n._('search.tagNone') }];
  const { label } = loaderData.found.tag;
  return headOf({
    title: i18n._('search.tagTitle', { tag: label }),
    description: i18n._('search.tagDescription', { tag: label }),
    site,
    // One address for all spellings.
    path: `/tag/${loaderData.found.tag.tag || encodeURIComponent(params.tag)}`,
    image: loaderData.found.reels.items[0]?.card ?? loaderData.found.posts.items[0]?.card,
  });
}

/** All public works with a tag, newest first. */
export default function TagPage({ loaderData: { tag, kind, cursor, found } }: Route.ComponentProps) {
  const text = useText();
  return (
    <div className="wrap-page min-h-svh py-6 sm:py-8">
      <h1 className="break-words text-3xl sm:text-4xl">#{found.tag.label}</h1>
      <p className="figures mb-5 mt-2 text-soft">{text('search.works', { works: found.tag.works })}</p>
      {kind !== 'post' && <TaggedReels key={`reels ${found.tag.tag}`} {...{ tag, found, start: cursor }} />}
      {kind !== 'reel' && <TaggedPosts key={`posts ${found.tag.tag}`} {...{ tag, found, start: cursor }} />}
    </div>
  );
}

interface TaggedProps {
  tag: string;
  found: TaggedWorks;
  start: string | null;
}

function TaggedReels({ tag, found, start }: TaggedProps) {
  const text = useText();
  const list = useList({
    queryKey: [...shownReels, 'tag', tag],
    fetchPage: async (cursor, signal) => (await tagFor(call, { tag, kind: 'reel', cursor }, signal)).reels,
    start,
    first: found.reels,
  });
  if (!list.items?.length) return null;
  return (
    <section aria-label={text('search.reels')} className="mb-8">
      <ReelGrid reels={list.items} rest={nextPagesAfter(list.nextCursor, { of: 'tag', tag })} />
      <EndOfList
        list={list}
        pageAt={(cursor) => `/tag/${encodeURIComponent(tag)}?kind=reel&cursor=${cursor}`}
        failed={text('search.failed')}
      />
    </section>
  );
}

function TaggedPosts({ tag, found, start }: TaggedProps) {
  const text = useText();
  const list = useList({
    queryKey: ['posts', 'tag', tag],
    fetchPage: async (cursor, signal) => (await tagFor(call, { tag, kind: 'post', cursor }, signal)).posts,
    start,
    first: found.posts,
  });
  if (!list.items?.length) return null;
  return (
    <section aria-label={text('search.posts')}>
      <h2 className="mb-3 text-2xl">{text('search.posts')}</h2>
      <PhotoTiles posts={list.items} />
      <EndOfList
        list={list}
        pageAt={(cursor) => `/tag/${encodeURIComponent(tag)}?kind=post&cursor=${cursor}`}
        failed={text('search.failed')}
        byClick
      />
    </section>
  );
}

/** A tag that nothing public has. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const text = useText();
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return (
    <EmptyState
      drawing="search"
      wholePage
      title={text('search.tagNone')}
      text={text('search.tagNoneText')}
      action={
        <Link to="/search" className={buttonLook('primary')}>
          {text('search.title')}
        </Link>
      }
    />
  );
}
