import { Link } from 'react-router';
import { isApiError } from '../../contract/api-error.ts';
import { headOf } from '../features/chrome/head.ts';
import { feedPage } from '../features/feed/feed.ts';
import { Intro } from '../features/feed/intro.tsx';
import { LoadMore } from '../features/feed/load-more.tsx';
import { ReelGrid, ReelGridLoading } from '../features/feed/reel-grid.tsx';
import { useFeed } from '../features/feed/use-feed.ts';
import { i18nOf } from '../messages/catalogues.ts';
import { pageCall } from '../page-call.ts';
import { useText } from '../text.tsx';
import { Button, buttonLook } from '../ui/button.tsx';
import { EmptyState, ErrorState } from '../ui/quiet-state.tsx';
import type { Route } from './+types/home';

const startOf = (request: Request) => new URL(request.url).searchParams.get('cursor');

export async function loader({ request, context }: Route.LoaderArgs) {
  const start = startOf(request);
  return { start, first: await feedPage(pageCall(context), start) };
}

/** In the browser the page opens at once, with the list it has or with placeholders. */
export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return { start: startOf(request), first: null };
}

export function meta({ matches }: Route.MetaArgs) {
  const { lang, origin } = matches[0].loaderData;
  const i18n = i18nOf(lang);
  return headOf({
    title: i18n._('site.title'),
    description: i18n._('site.description'),
    origin,
    path: '/',
  });
}

export default function Home({ loaderData }: Route.ComponentProps) {
  const feed = useFeed(loaderData.start, loaderData.first);
  return (
    <div className="wrap-page pt-3">
      <Intro />
      <Reels feed={feed} />
    </div>
  );
}

function Reels({ feed }: { feed: ReturnType<typeof useFeed> }) {
  const text = useText();
  const retry = (
    <Button kind="primary" onClick={() => void feed.refetch()} busy={feed.isFetching}>
      {text('home.retry')}
    </Button>
  );
  if (feed.isPending) return <ReelGridLoading />;
  if (!feed.data) {
    const why = isApiError(feed.error) ? feed.error.sentence : text('wrong.text');
    return <ErrorState title={text('home.error.title')} text={why} action={retry} />;
  }

  const reels = feed.data.pages.flatMap((page) => page.reels);
  if (reels.length === 0) return <NothingYet />;
  const { nextCursor } = feed.data.pages.at(-1) ?? { nextCursor: null };
  return (
    <section aria-label={text('home.reels')}>
      <ReelGrid reels={reels} />
      {nextCursor ? (
        <LoadMore
          cursor={nextCursor}
          busy={feed.isFetchingNextPage}
          failed={feed.isFetchNextPageError}
          onMore={feed.fetchNextPage}
        />
      ) : (
        <p className="mt-10 text-center text-soft">{text('home.end')}</p>
      )}
    </section>
  );
}

function NothingYet() {
  const text = useText();
  return (
    <EmptyState
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
