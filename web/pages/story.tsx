import { data, isRouteErrorResponse, Link, useParams } from 'react-router';
import { isApiError } from '#contract/api-error.ts';
import type { CallEndpoint } from '#contract/call.ts';
import { limits } from '#contract/limits.ts';
import { headOf } from '../features/chrome/head.ts';
import { currentToken } from '../features/session/session.ts';
import { storyRow } from '../features/stories/seen.ts';
import { runningStories, type ShownStory, storiesOf } from '../features/stories/stories.ts';
import { Viewer } from '../features/stories/viewer.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { revalidated } from '../page-headers.ts';
import { queryClient } from '../query-client.ts';
import type { PageHandle } from '../root.tsx';
import { pageContext } from '../server-context.ts';
import { useText } from '../text.tsx';
import { buttonLook } from '../ui/button.tsx';
import { EmptyState } from '../ui/quiet-state.tsx';
import { hasHydrated } from '../ui/use-hydrated.ts';
import type { Route } from './+types/story';

await loadPart('stories');

/** Without a story the page is not in full screen. */
export const handle: PageHandle<unknown> = { fullScreen: (loaded) => Boolean(loaded) };

/** A story ends at a time of its own. */
export const headers = revalidated;

export const loader = ({ params, context }: Route.LoaderArgs) =>
  storiesOr404(runningStories(context.get(pageContext).call as CallEndpoint, params.userId));

interface Loaded {
  stories: ShownStory[];
  /** They are those of this visitor, and their time may run. */
  ready?: boolean;
}

/**
 * The server's page is the same for everybody, so a signed-in person asks again: the person may not exist for them. From a row of stories
 * they are loaded already, and it is known what was seen.
 */
export async function clientLoader({ params, serverLoader }: Route.ClientLoaderArgs): Promise<Loaded> {
  if (!hasHydrated() && !currentToken()) return { ...(await serverLoader()), ready: true };
  const row = queryClient()
    .ensureQueryData(storyRow)
    .catch(() => undefined);
  const stories = await storiesOr404(queryClient().fetchQuery(storiesOf(params.userId)));
  await row;
  return { ...stories, ready: true };
}
clientLoader.hydrate = true as const;

async function storiesOr404(asked: Promise<ShownStory[]>): Promise<Loaded> {
  try {
    const stories = await asked;
    if (stories.length > 0) return { stories };
  } catch (error) {
    // An invalid id.
    if (!isApiError(error) || error.status !== 400) throw error;
  }
  throw data(null, { status: 404 });
}

export function meta({ matches, loaderData, params }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  const newest = loaderData?.stories.at(-1);
  if (!newest) return [{ title: i18n._('story.none.pageTitle') }];
  return headOf({
    title: i18n._('story.pageTitle', { username: newest.username }),
    description: i18n._('story.description', { username: newest.username, hours: limits.storyHours }),
    site,
    path: `/story/${params.userId}`,
    image: newest.card,
    until: new Date(Date.parse(newest.createdAt) + limits.storyHours * 3_600_000),
  });
}

export default function StoryPage({ loaderData, params }: Route.ComponentProps) {
  return <Viewer key={params.userId} userId={params.userId} {...loaderData} />;
}

/** The person has no story, or does not exist. Other errors are shown by the root. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const text = useText();
  const { userId } = useParams();
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return (
    <div className="grid min-h-[60dvh] place-items-center">
      <title>{text('story.none.pageTitle')}</title>
      <EmptyState
        drawing="stories"
        wholePage
        title={text('story.none.title')}
        text={text('story.none.text', { hours: limits.storyHours })}
        action={
          <Link to={`/user/${userId}`} className={buttonLook('primary')}>
            {text('story.profile')}
          </Link>
        }
      />
    </div>
  );
}
