import { useMemo } from 'react';
import type { Person } from '#contract/people.ts';
import { useText } from '#web/text.tsx';
import { EmptyState } from '#web/ui/quiet-state.tsx';
import type { FeedPage } from '../feed/feed.ts';
import { reelsOfOptions } from '../feed/reels-of.ts';
import { EndOfList } from '../lists/end-of-list.tsx';
import { ListError } from '../lists/list-error.tsx';
import { useList } from '../lists/use-list.ts';
import { nextPagesAfter } from '../player/playlist.ts';
import { type PostPage, postOptions } from '../posts/posts.ts';
import { Showcase, ShowcaseLoading } from '../showcase/showcase.tsx';
import { type Shown, shownPicture, shownReel } from '../showcase/shown.ts';

interface PublishedProps<Page> {
  person: Person;
  start: string | null;
  first: Page | null;
}

export function PersonReels({ person, start, first }: PublishedProps<FeedPage>) {
  const list = useList(reelsOfOptions(person._id, start, first));
  const items = useMemo(() => list.items?.map(shownReel), [list.items]);
  return <Published kind="reel" person={person} list={list} items={items} address={`/user/${person._id}?`} />;
}

export function PersonPosts({ person, start, first }: PublishedProps<PostPage>) {
  const list = useList(postOptions(person._id, start, first));
  const items = useMemo(() => list.items?.map((post) => shownPicture('post', post)), [list.items]);
  const address = `/user/${person._id}?tab=posts&`;
  return <Published kind="picture" person={person} list={list} items={items} address={address} />;
}

interface PublishedListProps {
  kind: Shown['kind'];
  person: Person;
  list: Omit<ReturnType<typeof useList>, 'items' | 'data'>;
  items: Shown[] | undefined;
  /** The address of a later page of the list, up to its cursor. */
  address: string;
}

function Published({ kind, person, list, items, address }: PublishedListProps) {
  const text = useText();
  const failed = text(kind === 'reel' ? 'home.error.title' : 'posts.failed');
  if (list.isPending) return <ShowcaseLoading kind={kind} label={text('list.loading')} />;
  if (!items) return <ListError title={failed} list={list} />;
  if (items.length === 0) {
    return (
      <EmptyState
        title={text(kind === 'reel' ? 'user.noReels' : 'user.noPosts')}
        text={text('user.nothingYet', { name: person.name })}
      />
    );
  }
  return (
    <>
      <Showcase items={items} rest={nextPagesAfter(list.nextCursor, person._id)} />
      <EndOfList list={list} pageAt={(cursor) => `${address}cursor=${cursor}`} failed={failed} />
    </>
  );
}
