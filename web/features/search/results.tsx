import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { type SearchedKind, searchedKinds } from '#contract/search.ts';
import { call } from '#web/api.ts';
import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { EmptyState } from '#web/ui/quiet-state.tsx';
import { shownReels } from '../feed/feed.ts';
import { ReelGrid } from '../feed/reel-grid.tsx';
import { EndOfList } from '../lists/end-of-list.tsx';
import { ListError } from '../lists/list-error.tsx';
import { type ListPage, useList } from '../lists/use-list.ts';
import { nextPagesAfter } from '../player/next-pages.ts';
import { PhotoTiles } from '../posts/picture.tsx';
import { currentToken } from '../session/session.ts';
import { Categories } from './categories.tsx';
import { type Found, searchFor } from './found.ts';
import { FoundStatus } from './found-status.tsx';
import { PeopleCards, TagChips } from './items.tsx';

export const headings: Record<SearchedKind, MessageId> = {
  reel: 'search.reels',
  post: 'search.posts',
  person: 'search.people',
  tag: 'search.tags',
};
const partOf = { reel: 'reels', post: 'posts', person: 'people', tag: 'tags' } as const;

export const searchAddress = (q: string, kind: SearchedKind | null = null) =>
  `/search?${new URLSearchParams({ q, ...(kind ? { kind } : {}) })}`;

/** The first results of all kinds. */
export function AllResults({ q, first }: { q: string; first: Found | null }) {
  const text = useText();
  const found = useQuery({
    queryKey: ['search', q],
    queryFn: ({ signal }) => searchFor(call, { q, kind: null, cursor: null }, signal),
    ...(first ? { initialData: first } : {}),
    // The server's page is the same for everybody.
    ...(first && currentToken() ? { initialDataUpdatedAt: 0 } : {}),
    placeholderData: keepPreviousData,
  });
  const { data, isPlaceholderData: isOld } = found;
  const lists = searchedKinds.flatMap((kind) => data?.[partOf[kind]] ?? []);
  const count = data && lists.reduce((sum, { items }) => sum + items.length, data.categories.length);
  return (
    <>
      <FoundStatus
        q={q}
        count={isOld ? undefined : count}
        more={lists.some(({ nextCursor }) => nextCursor !== null)}
        suggestion={data?.suggestion}
      />
      {found.isPending && <Searching />}
      {found.isError && !data && <ListError title={text('search.failed')} list={found} />}
      {data && <AllFound {...{ q, data, isOld, isEmpty: count === 0 }} />}
    </>
  );
}

interface AllFoundProps {
  q: string;
  data: Found;
  /** What was found for the letters before, until the new results are there. */
  isOld: boolean;
  isEmpty: boolean;
}

function AllFound({ q, data, isOld, isEmpty }: AllFoundProps) {
  const text = useText();
  return (
    <div className={classNames('grid gap-8', isOld && 'opacity-60')}>
      {data.suggestion !== null && <Suggestion q={q} suggestion={data.suggestion} />}
      {data.categories.length > 0 && (
        <Section title={text('search.categories')}>
          <Categories categories={data.categories} />
        </Section>
      )}
      {(['tag', 'person', 'reel', 'post'] as const).map(
        (kind) =>
          data[partOf[kind]].items.length > 0 && (
            <Section
              key={kind}
              title={text(headings[kind])}
              all={data[partOf[kind]].nextCursor === null ? undefined : searchAddress(q, kind)}
            >
              <Items q={q} kind={kind} found={data} />
            </Section>
          ),
      )}
      {isEmpty && (
        <EmptyState drawing="search" title={text('search.none')} text={text('search.noneFor', { q })} />
      )}
    </div>
  );
}

function Items({
  q,
  kind,
  found,
}: {
  q: string;
  kind: SearchedKind;
  found: Pick<Found, 'reels' | 'posts' | 'people' | 'tags'>;
}) {
  if (kind === 'reel')
    return (
      <ReelGrid
        reels={found.reels.items}
        rest={nextPagesAfter(found.reels.nextCursor, { of: 'search', q })}
      />
    );
  if (kind === 'post') return <PhotoTiles posts={found.posts.items} />;
  if (kind === 'person') return <PeopleCards people={found.people.items} />;
  return <TagChips tags={found.tags.items} />;
}

interface KindResultsProps {
  q: string;
  kind: SearchedKind;
  start: string | null;
  first: Found | null;
}

/** All results of one kind. */
export function KindResults({ q, kind, start, first }: KindResultsProps) {
  const text = useText();
  const list = useList<unknown>({
    queryKey: kind === 'reel' ? [...shownReels, 'search', q] : ['search', kind, q],
    fetchPage: async (cursor, signal): Promise<ListPage<unknown>> =>
      (await searchFor(call, { q, kind, cursor }, signal))[partOf[kind]],
    start,
    first: first ? first[partOf[kind]] : null,
    keepsPrevious: true,
  });
  const { items, nextCursor, isPlaceholderData: isOld } = list;
  const none = { items: [], nextCursor: null };
  const found = {
    ...{ reels: none, posts: none, people: none, tags: none },
    [partOf[kind]]: { items: items ?? [], nextCursor },
  };
  return (
    <>
      <FoundStatus q={q} count={isOld ? undefined : items?.length} more={nextCursor !== null} />
      {list.isPending && <Searching />}
      {list.isError && !items && <ListError title={text('search.failed')} list={list} />}
      {items?.length === 0 && (
        <EmptyState drawing="search" title={text('search.none')} text={text('search.noneFor', { q })} />
      )}
      {items && items.length > 0 && (
        <section aria-label={text(headings[kind])} className={isOld ? 'opacity-60' : undefined}>
          <Items q={q} kind={kind} found={found} />
          <EndOfList
            list={list}
            pageAt={(cursor) => `${searchAddress(q, kind)}&cursor=${cursor}`}
            failed={text('search.failed')}
          />
        </section>
      )}
    </>
  );
}

function Searching() {
  const text = useText();
  return (
    <p role="status" className="py-14 text-center text-soft">
      {text('list.loading')}
    </p>
  );
}

function Section({ title, all, children }: { title: string; all?: string | undefined; children: ReactNode }) {
  const text = useText();
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h2 id={id} className="text-2xl">
          {title}
        </h2>
        {all && (
          <Link to={all} className="text-link flex min-h-11 shrink-0 items-center">
            {text('search.all')}
          </Link>
        )}
      </div>
      {children}
    </section>
  );
}

/** There is no result with the words themselves; those of similar words follow. */
function Suggestion({ q, suggestion }: { q: string; suggestion: string }) {
  const text = useText();
  return (
    <p className="text-lg">
      {text('search.noneExactly', { q })}{' '}
      <Link to={searchAddress(suggestion)} className="text-link inline-flex min-h-11 items-center">
        {text('search.didYouMean', { suggestion })}
      </Link>
    </p>
  );
}
