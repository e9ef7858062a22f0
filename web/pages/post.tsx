import { isRouteErrorResponse, Link } from 'react-router';
import type { CallEndpoint } from '#contract/call.ts';
import { getPost } from '#contract/posts.ts';
import { call } from '../api.ts';
import { headOf, shortened } from '../features/chrome/head.ts';
import { type AroundPhoto, aroundPhoto, MorePhotos } from '../features/posts/more-photos.tsx';
import { PhotoPage, type PhotoPageProps } from '../features/posts/photo-page.tsx';
import { shownPost } from '../features/posts/posts.ts';
import { currentToken } from '../features/session/session.ts';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { notFound, or404, pageCall } from '../page-call.ts';
import { revalidated } from '../page-headers.ts';
import { pageContext } from '../server-context.ts';
import { useText } from '../text.tsx';
import { buttonLook } from '../ui/button.tsx';
import { EmptyState } from '../ui/quiet-state.tsx';
import { hasHydrated } from '../ui/use-hydrated.ts';
import type { Route } from './+types/post';

await loadPart('photo');

interface Loaded extends PhotoPageProps {
  around: AroundPhoto | null;
}

async function loadPhoto(caller: CallEndpoint, id: string, signal?: AbortSignal): Promise<PhotoPageProps> {
  const options = signal ? { signal } : {};
  const { data, newer, older } = await or404(caller(getPost, { params: { id } }, options));
  // Its owner sees one that was taken down on the own profile alone.
  if (data.takenDown !== null) throw notFound();
  return { post: shownPost(data), newer, older };
}

/** It has to disappear within a second of the photo (decisions §3). */
export const headers = revalidated;

export async function loader({ params, context }: Route.LoaderArgs): Promise<Loaded> {
  const photo = await loadPhoto(context.get(pageContext).call, params.id);
  return { ...photo, around: await aroundPhoto(pageCall(context), photo.post.userId) };
}

/**
 * The server's page is the same for everybody, so a signed-in person asks again: the photo may not exist for them.
 */
export async function clientLoader({
  request,
  params,
  serverLoader,
}: Route.ClientLoaderArgs): Promise<Loaded> {
  if (!hasHydrated() && !currentToken()) return await serverLoader();
  return { ...(await loadPhoto(call, params.id, request.signal)), around: null };
}
clientLoader.hydrate = true as const;

export function meta({ matches, loaderData, params }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  if (!loaderData) return [{ title: i18n._('photo.removed.pageTitle') }];
  const { caption, description, username, userId, likeCount, imageurl, card, createdAt } = loaderData.post;
  const title = i18n._(caption ? 'photo.title' : 'photo.titleUntitled', {
    caption: shortened(caption),
    username,
  });
  return headOf({
    title,
    description: shortened(description, 160) || i18n._('photo.description', { likes: likeCount, username }),
    site,
    path: `/post/${params.id}`,
    image: card,
    isEmbeddable: true,
    about: {
      '@type': 'ImageObject',
      name: shortened(caption) || title,
      description: caption || title,
      contentUrl: new URL(imageurl, site.origin).href,
      uploadDate: createdAt,
      author: { '@type': 'Person', name: username, url: `${site.origin}/user/${userId}` },
    },
  });
}

/** One photo (decisions §3). */
export default function Post({ loaderData: { around, ...photo } }: Route.ComponentProps) {
  return (
    <div className="wrap-page max-w-grid pb-8 sm:pt-4">
      <PhotoPage {...photo}>
        <MorePhotos key={photo.post.userId} post={photo.post} first={around} />
      </PhotoPage>
    </div>
  );
}

/** The photo does not exist, or not any more. Other errors are shown by the root. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const text = useText();
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return (
    <div className="grid min-h-[60dvh] place-items-center">
      <title>{text('photo.removed.pageTitle')}</title>
      <EmptyState
        drawing="photos"
        wholePage
        title={text('photo.removed.title')}
        text={text('photo.removed.text')}
        action={
          <Link to="/ShowPosts" className={buttonLook('primary')}>
            {text('photo.removed.action')}
          </Link>
        }
      />
    </div>
  );
}
