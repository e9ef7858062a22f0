import { SlidersHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { EmptyState } from '#web/ui/quiet-state.tsx';
import { type Breaks, ReelGrid, ReelGridLoading, type ReelGridProps } from '../feed/reel-grid.tsx';
import { EndOfList } from '../lists/end-of-list.tsx';
import { ListError } from '../lists/list-error.tsx';
import { useList } from '../lists/use-list.ts';
import { nextPagesAfter } from '../player/next-pages.ts';
import type { PlayedReel, ReelList } from '../player/playlist.ts';
import { useSession } from '../session/use-session.ts';
import { followedPage, followingKey } from './following.ts';
import { forYouKey, forYouPage } from './for-you.ts';
import { isMuted, useMutes } from './mutes.ts';
import { useLogIn, useNobodyFollowed } from './nobody-followed.tsx';
import Reason from './reason.tsx';

await loadPart('taste');

interface HomeTabProps {
  tab: 'forYou' | 'following';
  breaks: Breaks;
}

/** What Home shows in the tabs For you and Following. */
export default function HomeTab({ tab, breaks }: HomeTabProps) {
  const { token } = useSession();
  if (tab === 'forYou') return <ForYou breaks={breaks} />;
  return token ? <Following breaks={breaks} /> : <LogIn breaks={breaks} />;
}

function ForYou({ breaks }: { breaks: Breaks }) {
  const text = useText();
  const muted = useMutes();
  const list = useList<PlayedReel>({ queryKey: forYouKey, fetchPage: forYouPage, start: null, first: null });
  // What was muted since it was loaded.
  const reels = list.items?.filter((reel) => !isMuted(reel, muted));
  return (
    <>
      <Link
        to="/Settings#taste"
        className="absolute bottom-full right-0 z-10 flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-control font-medium text-soft hover:text-text max-sm:-mb-3 max-sm:pb-3 sm:mb-3"
      >
        <SlidersHorizontal aria-hidden className="size-5" />
        <span className="max-sm:sr-only">{text('forYou.whyThese')}</span>
      </Link>
      {list.isPending && <ReelGridLoading breaks={breaks} />}
      {list.isError && !reels && <Failed list={list} breaks={breaks} />}
      {reels && (
        <Reels
          label={text('tab.forYou')}
          reels={reels}
          list={list}
          from={{ of: 'forYou' }}
          end={text('home.end')}
          noteOf={({ why }) => why && <Reason why={why} />}
          breaks={breaks}
          none={{ title: text('forYou.none'), words: text('forYou.noneText') }}
        />
      )}
    </>
  );
}

function Following({ breaks }: { breaks: Breaks }) {
  const text = useText();
  const none = useNobodyFollowed();
  const list = useList<PlayedReel>({
    queryKey: followingKey,
    fetchPage: followedPage,
    start: null,
    first: null,
  });
  if (list.isPending) return <ReelGridLoading breaks={breaks} />;
  if (!list.items) return <Failed list={list} breaks={breaks} />;
  return (
    <Reels
      label={text('tab.following')}
      reels={list.items}
      list={list}
      from={{ of: 'following' }}
      end={text('following.end')}
      breaks={breaks}
      none={none}
    />
  );
}

const LogIn = ({ breaks }: { breaks: Breaks }) => <Instead {...useLogIn()} breaks={breaks} />;

interface ReelsProps extends Pick<ReelGridProps, 'noteOf'> {
  label: string;
  reels: PlayedReel[];
  list: ReturnType<typeof useList<PlayedReel>>;
  from: ReelList;
  end: string;
  breaks: Breaks;
  none: Omit<InsteadProps, 'breaks'>;
}

function Reels({ label, reels, list, from, end, breaks, none, noteOf }: ReelsProps) {
  const text = useText();
  if (reels.length === 0 && !list.nextCursor) return <Instead {...none} breaks={breaks} />;
  return (
    <section aria-label={label}>
      <ReelGrid
        reels={reels}
        rest={nextPagesAfter(list.nextCursor, from)}
        breaks={breaks}
        {...(noteOf ? { noteOf } : {})}
      />
      <EndOfList list={list} pageAt={() => '/'} failed={text('home.error.title')} end={end} />
    </section>
  );
}

interface InsteadProps {
  title: string;
  words: string;
  action?: ReactNode;
  breaks: Breaks;
}

/** In place of a list without reels. */
function Instead({ title, words, action, breaks }: InsteadProps) {
  return (
    <>
      <EmptyState drawing="reels" title={title} text={words} action={action} />
      <Below breaks={breaks} />
    </>
  );
}

function Failed({ list, breaks }: { list: ReelsProps['list']; breaks: Breaks }) {
  const text = useText();
  return (
    <>
      <ListError title={text('home.error.title')} list={list} />
      <Below breaks={breaks} />
    </>
  );
}

const Below = ({ breaks }: { breaks: Breaks }) => (
  <div className="grid gap-3 sm:gap-4">
    {breaks.afterSecondRow}
    {breaks.afterSixthRow}
  </div>
);
