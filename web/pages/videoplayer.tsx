import { useMemo, useState } from 'react';
import { data, Link, useLocation } from 'react-router';
import { isApiError } from '#contract/api-error.ts';
import type { CallEndpoint } from '#contract/call.ts';
import { getReel } from '#contract/reels.ts';
import { call } from '../api.ts';
import { headOf, shortened } from '../features/chrome/head.ts';
import { type FeedReel, feedPage, feedReel, reelInLists } from '../features/feed/feed.ts';
import { ReelGrid } from '../features/feed/reel-grid.tsx';
import { newFirst } from '../features/player/new-first.ts';
import { nextPagesAfter } from '../features/player/next-pages.ts';
import { Player } from '../features/player/player.tsx';
import { eachOnce, type PlayerState, playlistOf } from '../features/player/playlist.ts';
import { seenReels } from '../features/player/seen-reels.ts';
import { currentToken } from '../features/session/session.ts';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import type { PageHandle } from '../root.tsx';
import { pageContext } from '../server-context.ts';
import { useText } from '../text.tsx';
import { buttonLook } from '../ui/button.tsx';
import { EmptyState } from '../ui/quiet-state.tsx';
import { hasHydrated, useHydrated } from '../ui/use-hydrated.ts';
import type { Route } from './+types/videoplayer';

await loadPart('player');

/** Without a video the page is not in full screen. */
export const handle: PageHandle<{ videos: unknown[] } | undefined> = {
  fullScreen: (loaded) => loaded !== undefined && loaded.videos.length > 0,
};

const reelIdOf = (request: Request) => new URL(request.url).searchParams.get('reel');

interface Loaded extends Pick<PlayerState, 'videos' | 'rest'> {
  /** The address names no reel, so the first new one is shown: of the list of everybody, or of the person who asked. */
  feed?: 'everybody' | 'own';
  /** Other reels, if the reel of the address does not exist. */
  instead?: FeedReel[];
}

/** The reel of the address, followed by the feed (decisions §3); without one, the feed. */
async function loadVideos(caller: CallEndpoint, id: string | null, list: 'everybody' | 'own') {
  const [first, feed] = await Promise.all([id ? reelOrNothing(caller, id) : [], feedPage(caller, null)]);
  if (!first) {
    const loaded: Loaded = { videos: [], instead: feed.items.slice(0, offered) };
    return data(loaded, { status: 404 });
  }
  const videos = eachOnce([...first, ...feed.items]);
  return data<Loaded>({
    videos,
    rest: nextPagesAfter(feed.nextCursor, { of: 'feed' }),
    ...(id ? {} : { feed: list }),
  });
}

const offered = 12;

async function reelOrNothing(caller: CallEndpoint, id: string): Promise<FeedReel[] | undefined> {
  try {
    const { data: reel } = await caller(getReel, { params: { id } });
    // The reel of the address has a picture for link previews.
    return [{ ...feedReel(reel), ...(reel.card ? { card: reel.card } : {}) }];
  } catch (error) {
    // An unknown or invalid id.
    if (isApiError(error) && (error.status === 404 || error.status === 400)) return undefined;
    throw error;
  }
}

export const loader = ({ request, context }: Route.LoaderArgs) =>
  loadVideos(context.get(pageContext).call, reelIdOf(request), 'everybody');

/**
 * From a grid the player opens at once with the known reel; navigation state has the whole list. The server's page is the same for
 * everybody, so a signed-in person asks again: some reels may not exist for them.
 */
export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  if (!hasHydrated() && !currentToken()) return await serverLoader();
  const id = reelIdOf(request);
  const known = id && reelInLists(id);
  // A reel without a list is followed by the feed.
  return known
    ? data<Loaded>({ videos: [known], rest: { list: { of: 'feed' }, cursor: null } })
    : await loadVideos(call, id, 'own');
}
clientLoader.hydrate = true as const;

// The address changes with each video, and the list stays.
export const shouldRevalidate = () => false;

export function meta({ matches, loaderData, location }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  if (!loaderData) return [{ title: i18n._('notFound.pageTitle') }];
  if (loaderData.instead) return [{ title: i18n._('player.removed.pageTitle') }];
  const { videos, startIndex } = playlistOf(loaderData, location.state);
  const reel = videos[startIndex];
  if (!reel) return [{ title: i18n._('player.empty.title') }];
  const { _id, caption, username, views, posterurl, videourl, width, height } = reel;
  return headOf({
    title: i18n._(caption ? 'player.title' : 'player.titleUntitled', {
      caption: shortened(caption),
      username,
    }),
    description: i18n._('player.description', { views: views + 1, username }),
    site,
    path: `/videoplayer?reel=${_id}`,
    image: reel.card,
    isEmbeddable: true,
    video: { url: videourl, player: `/embed/${_id}`, width, height },
    about: {
      '@type': 'VideoObject',
      name: shortened(caption) || i18n._('player.titleUntitled', { username }),
      description: caption || i18n._('player.titleUntitled', { username }),
      thumbnailUrl: [posterurl],
      contentUrl: videourl,
      uploadDate: reel.createdAt,
      duration: `PT${Math.round(reel.duration)}S`,
      author: { '@type': 'Person', name: username, url: `${site.origin}/user/${reel.userId}` },
      interactionStatistic: {
        '@type': 'InteractionCounter',
        interactionType: { '@type': 'WatchAction' },
        userInteractionCount: views + 1,
      },
    },
  });
}

export default function VideoPlayer({ loaderData }: Route.ComponentProps) {
  const { state } = useLocation();
  const hydrated = useHydrated();
  // A page rendered by the server continues with its own list, which becomes another one for a signed-in person; otherwise navigation
  // state has the list.
  const [seen] = useState(seenReels);
  // The address names what is shown, so it must not be a reel that does not exist for the person.
  const isDecided = hydrated && (loaderData.feed === 'own' || !currentToken());
  const fromAddress = useMemo(
    // What a device has seen, the server does not know.
    () =>
      isDecided && loaderData.feed && loaderData.videos.length > 0 ? newFirst(loaderData, seen) : loaderData,
    [isDecided, loaderData, seen],
  );
  const [handed] = useState(() => (hydrated ? playlistOf(fromAddress, state) : undefined));
  const [switched, setSwitched] = useState<{ nth: number; to: PlayerState }>();
  const playlist = useMemo(
    () => switched?.to ?? handed ?? playlistOf(fromAddress, null),
    [switched, handed, fromAddress],
  );
  if (loaderData.instead && playlist.videos.length === 0) return <Removed instead={loaderData.instead} />;
  if (playlist.videos.length === 0 && playlist.rest?.cursor === undefined) return <NoVideo />;
  return (
    <Player
      key={switched?.nth}
      {...playlist}
      undecided={loaderData.feed !== undefined && !isDecided}
      isElsewhere={switched !== undefined}
      onList={(to) => setSwitched((before) => ({ nth: (before?.nth ?? 0) + 1, to }))}
    />
  );
}

/** Shown for a link to a deleted reel, with other reels. */
function Removed({ instead }: { instead: FeedReel[] }) {
  const text = useText();
  return (
    <div className="wrap-page pb-8">
      <EmptyState
        drawing="missing"
        wholePage
        title={text('player.removed.title')}
        text={text('player.removed.text')}
        action={
          <Link to="/" className={buttonLook('primary')}>
            {text('player.removed.home')}
          </Link>
        }
      />
      <ReelGrid reels={instead} fullLoad />
    </div>
  );
}

function NoVideo() {
  const text = useText();
  return (
    <EmptyState
      drawing="reels"
      wholePage
      title={text('player.empty.title')}
      text={text('player.empty.text')}
      action={
        <Link to="/" className={buttonLook('primary')}>
          {text('player.empty.home')}
        </Link>
      }
    />
  );
}
