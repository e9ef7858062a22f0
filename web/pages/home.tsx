import { Link, useNavigate } from 'react-router';
import { Carousel } from '../features/carousel/carousel.tsx';
import { headOf } from '../features/chrome/head.ts';
import { type FeedReel, feedOptions, feedPage } from '../features/feed/feed.ts';
import { Figures } from '../features/feed/figures.tsx';
import { FollowUs } from '../features/feed/follow-us.tsx';
import { ReelGrid, ReelGridLoading } from '../features/feed/reel-grid.tsx';
import { EndOfList } from '../features/lists/end-of-list.tsx';
import { ListError } from '../features/lists/list-error.tsx';
import { useList } from '../features/lists/use-list.ts';
import { fetchedPart } from '../features/offline/fetched-part.tsx';
import { nextPagesAfter } from '../features/player/next-pages.ts';
import { SinceLastVisit } from '../features/returning/since-last-visit.tsx';
import { storyPeople } from '../features/stories/seen.ts';
import { StoryRow } from '../features/stories/story-row.tsx';
import { feedTabs, tabLabels } from '../features/taste/tabs.ts';
import { useHomeTab } from '../features/taste/use-home-tab.ts';
import { i18nOf } from '../messages/catalogues.ts';
import { pageCall } from '../page-call.ts';
import { useText } from '../text.tsx';
import { buttonLook } from '../ui/button.tsx';
import { EmptyState } from '../ui/quiet-state.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Route } from './+types/home';

const HomeTab = fetchedPart(() => import('../features/taste/home-tab.tsx'));

/** As many people with stories as the widest first screen shows. */
const storiesAtFirst = 24;

const startOf = (request: Request) => new URL(request.url).searchParams.get('cursor');

export async function loader({ request, context }: Route.LoaderArgs) {
  const start = startOf(request);
  const call = pageCall(context);
  const [first, stories] = await Promise.all([feedPage(call, start), storyPeople(call, storiesAtFirst)]);
  return { start, first, stories };
}

/** In the browser the page opens at once, with the cached list or placeholders. */
export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return { start: startOf(request), first: null, stories: null };
}

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('site.title'),
    description: i18n._('site.description'),
    site,
    path: '/',
    about: {
      '@type': 'WebSite',
      name: 'Jhalak',
      url: `${site.origin}/`,
      potentialAction: {
        '@type': 'SearchAction',
        target: `${site.origin}/search?q={search_term_string}`,
        'query-input': 'required name=search_term_string',
      },
    },
  });
}

const panelId = 'reels';

export default function Home({ loaderData }: Route.ComponentProps) {
  const text = useText();
  const navigate = useNavigate();
  const tab = useHomeTab();
  return (
    <div className="wrap-page home">
      <h1 className="sr-only">{text('site.title')}</h1>
      <StoryRow first={loaderData.stories} />
      <Carousel />
      <div className="-mt-1 sm:mt-0">
        <Tabs
          label={text('tab.lists')}
          tabs={feedTabs.map((id) => ({ id, label: text(tabLabels[id]), to: `/?tab=${id}` }))}
          selected={tab}
          panelId={panelId}
          onAgain={() =>
            void import('../features/taste/refresh.ts').then(({ refreshTab }) => refreshTab(tab))
          }
          className="home-tabs needs-script"
        />
        <div id={panelId} role="tabpanel" aria-label={text(tabLabels[tab])} className="home-reels relative">
          {tab === 'newest' ? (
            <Reels {...loaderData} />
          ) : (
            <HomeTab
              tab={tab}
              breaks={breaks}
              waiting={<ReelGridLoading breaks={breaks} />}
              onClose={() => void navigate('/?tab=newest', { replace: true })}
            />
          )}
        </div>
      </div>
    </div>
  );
}

const breaks = { afterSecondRow: <Figures />, afterSixthRow: <FollowUs /> };

function Reels({ start, first }: Pick<Route.ComponentProps['loaderData'], 'start' | 'first'>) {
  const text = useText();
  const feed = useList<FeedReel>(feedOptions(start, first));
  if (feed.isPending) return <ReelGridLoading breaks={breaks} />;
  if (!feed.items?.length)
    return (
      <>
        {feed.items ? <NothingYet /> : <ListError title={text('home.error.title')} list={feed} />}
        <Figures />
        <FollowUs />
      </>
    );
  const rest = nextPagesAfter(feed.nextCursor, { of: 'feed' });
  return (
    <section aria-label={text('home.reels')} className="relative">
      <ReelGrid reels={feed.items} rest={rest} breaks={breaks} />
      <SinceLastVisit videos={feed.items} rest={rest} />
      <EndOfList
        list={feed}
        pageAt={(cursor) => `/?cursor=${cursor}`}
        failed={text('home.error.title')}
        end={text('home.end')}
      />
    </section>
  );
}

function NothingYet() {
  const text = useText();
  return (
    <EmptyState
      drawing="reels"
      title={text('home.empty.title')}
      text={text('home.empty.text')}
      action={
        <Link to="/ReelPost" className={buttonLook('primary')}>
          {text('home.empty.action')}
        </Link>
      }
    />
  );
}
