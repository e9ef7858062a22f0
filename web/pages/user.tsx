import { useQuery } from '@tanstack/react-query';
import { isRouteErrorResponse, Link, useLocation } from 'react-router';
import { isApiError } from '#contract/api-error.ts';
import { getUser } from '#contract/people.ts';
import { getFriendStories } from '#contract/stories.ts';
import { call } from '../api.ts';
import { headOf } from '../features/chrome/head.ts';
import { reelsOfPage } from '../features/feed/reels-of.ts';
import { controls } from '../features/interactions/controls.ts';
import { useOwn } from '../features/interactions/use-interactions.ts';
import { ProfileHeader } from '../features/people/profile-header.tsx';
import { PersonPosts, PersonReels } from '../features/people/published.tsx';
import { postPage } from '../features/posts/posts.ts';
import { ReportButton } from '../features/reports/report-button.tsx';
import { ReportWithoutScript } from '../features/reports/report-without-script.tsx';
import { currentToken } from '../features/session/session.ts';
import { ShareButton } from '../features/share/share-button.tsx';
import { isSeen, storyRow } from '../features/stories/seen.ts';
import { storiesOf } from '../features/stories/stories.ts';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { or404 } from '../page-call.ts';
import { queryClient } from '../query-client.ts';
import { pageContext } from '../server-context.ts';
import { useText } from '../text.tsx';
import { buttonLook } from '../ui/button.tsx';
import { EmptyState } from '../ui/quiet-state.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { hasHydrated } from '../ui/use-hydrated.ts';
import type { Route } from './+types/user';

await loadPart('user');

const tabOf = (address: string) =>
  new URL(address, 'http://localhost').searchParams.get('tab') === 'posts' ? 'posts' : 'reels';
const startOf = (request: Request) => new URL(request.url).searchParams.get('cursor');

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { call } = context.get(pageContext);
  const start = startOf(request);
  const tab = tabOf(request.url);
  const [{ data: person }, firstReels, firstPosts, newest] = await Promise.all([
    or404(call(getUser, { params })),
    tab === 'posts' ? null : reelsOfPage(call, params.id, start).catch(nothing),
    tab === 'posts' ? postPage(call, params.id, start).catch(nothing) : null,
    call(getFriendStories, { params: { userId: params.id }, query: { limit: 1 } }).catch(nothing),
  ]);
  return { person, tab, start, firstReels, firstPosts, story: newest?.data[0]?._id ?? null };
}

/**
 * In the browser the tab opens at once, with cached lists or placeholders. The server's page is the same for everybody, so a signed-in
 * person asks again: the person may not exist for them.
 */
export async function clientLoader({ request, params, serverLoader }: Route.ClientLoaderArgs) {
  if (!hasHydrated() && !currentToken()) return await serverLoader();
  const [{ data: person }, stories] = await Promise.all([
    or404(call(getUser, { params }, { signal: request.signal })),
    queryClient().fetchQuery(storiesOf(params.id)).catch(nothing),
  ]);
  const story = stories?.at(-1)?._id ?? null;
  const [tab, start] = [tabOf(request.url), startOf(request)];
  return { person, tab, start, firstReels: null, firstPosts: null, story };
}

clientLoader.hydrate = true as const;

// Another tab shows the same person, so the loader does not run again.
export const shouldRevalidate = ({
  currentParams,
  nextParams,
}: {
  currentParams: object;
  nextParams: object;
}) => JSON.stringify(currentParams) !== JSON.stringify(nextParams);

/** If a list fails, the page shows the person without it. If the person does not exist, the page answers 404. */
function nothing(error: unknown): null {
  if (isApiError(error) && error.status < 500) return null;
  throw error;
}

export function meta({ matches, loaderData, params }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  if (!loaderData) return [{ title: i18n._('user.notFound.pageTitle') }];
  const { person } = loaderData;
  return headOf({
    title: i18n._('user.pageTitle', { name: person.name, username: person.username }),
    description: i18n._('user.description', {
      name: person.name,
      count: person.reelCount + person.postCount,
      followers: person.followerCount,
    }),
    site,
    path: `/user/${params.id}`,
    image: person.card,
    isPerson: true,
    about: {
      '@type': 'ProfilePage',
      dateCreated: person.createdAt,
      mainEntity: { '@type': 'Person', name: person.name, alternateName: person.username },
    },
  });
}

export default function User({ loaderData, params }: Route.ComponentProps) {
  const text = useText();
  const { person, firstReels, firstPosts, story } = loaderData;
  const { data: row } = useQuery(storyRow);
  const { PersonActions } = controls;
  const own = useOwn('person', person._id);
  const { search } = useLocation();
  const tab = tabOf(search);
  // The cursor in the address belongs to the tab with which the page was opened.
  const start = tab === loaderData.tab ? loaderData.start : null;
  const address = `/user/${params.id}`;
  return (
    <div className="wrap-page min-h-svh max-w-grid pb-4">
      <ProfileHeader
        userId={person._id}
        name={person.name}
        username={person.username}
        profilePic={person.profilePic}
        seen={story === null ? undefined : isSeen(row, { userId: person._id, storyId: story })}
        // Posts are reels and posts together (specification §2).
        counts={[
          ['profile.posts', person.reelCount + person.postCount],
          ['profile.followers', own?.followerCount ?? person.followerCount],
          ['profile.following', person.followingCount],
        ]}
        actions={
          <>
            {PersonActions && <PersonActions person={person} />}
            <ShareButton path={address} isWide={!PersonActions} />
            <ReportButton kind="person" id={person._id} ownerId={person._id} />
            <ReportWithoutScript className="grid size-11 place-items-center text-soft" />
          </>
        }
      />
      <Tabs
        label={text('user.tabs', { name: person.name })}
        selected={tab}
        panelId="published"
        tabs={[
          { id: 'reels', label: text('profile.reels'), to: address },
          { id: 'posts', label: text('profile.posts'), to: `${address}?tab=posts` },
        ]}
      />
      <div
        id="published"
        role="tabpanel"
        aria-label={text(tab === 'reels' ? 'profile.reels' : 'profile.posts')}
        className="pt-4"
      >
        {tab === 'reels' ? (
          <PersonReels key={person._id} person={person} start={start} first={firstReels} />
        ) : (
          <PersonPosts key={person._id} person={person} start={start} first={firstPosts} />
        )}
      </div>
    </div>
  );
}

/** 'User not found' (specification §2). Other errors are shown by the root. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const text = useText();
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return (
    <div className="grid min-h-[60dvh] place-items-center">
      <title>{text('user.notFound.pageTitle')}</title>
      <EmptyState
        drawing="people"
        wholePage
        title={text('user.notFound.title')}
        text={text('user.notFound.text')}
        action={
          <Link to="/AllUsers" className={buttonLook('primary')}>
            {text('user.notFound.action')}
          </Link>
        }
      />
    </div>
  );
}
