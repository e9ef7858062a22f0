import { useMemo, useState } from 'react';
import type { Person } from '#contract/people.ts';
import { useText } from '#web/text.tsx';
import type { DrawingName } from '#web/ui/drawing.tsx';
import { EmptyState } from '#web/ui/quiet-state.tsx';
import type { FeedPage } from '../feed/feed.ts';
import { ReelTile } from '../feed/reel-tile.tsx';
import { reelsOfOptions } from '../feed/reels-of.ts';
import { EndOfList } from '../lists/end-of-list.tsx';
import { ListError } from '../lists/list-error.tsx';
import { useList } from '../lists/use-list.ts';
import { fetchedPart } from '../offline/fetched-part.tsx';
import { nextPagesAfter } from '../player/next-pages.ts';
import { type PostPage, postOptions } from '../posts/posts.ts';
import { galleryPicture } from '../showcase/gallery-picture.ts';
import { PictureTile } from '../showcase/picture-tile.tsx';
import { square, TileGrid, TileGridLoading, upright } from '../showcase/tile-grid.tsx';

const Preview = fetchedPart(() => import('../showcase/preview.tsx'));

interface PublishedProps<Page> {
  person: Person;
  start: string | null;
  first: Page | null;
}

/** A person's reels; each opens the player limited to them. */
export function PersonReels({ person, start, first }: PublishedProps<FeedPage>) {
  const text = useText();
  const list = useList(reelsOfOptions(person._id, start, first));
  const failed = text('home.error.title');
  if (list.isPending) return <TileGridLoading shape={upright} />;
  const videos = list.items;
  if (!videos) return <ListError title={failed} list={list} />;
  if (videos.length === 0) return <NothingYet drawing="reels" title={text('user.noReels')} person={person} />;
  const rest = nextPagesAfter(list.nextCursor, { of: 'person', userId: person._id });
  return (
    <>
      <TileGrid>
        {videos.map((reel, startIndex) => (
          <li key={reel._id}>
            <ReelTile reel={reel} state={{ videos, startIndex, rest }} early={startIndex < 3} isBrief />
          </li>
        ))}
      </TileGrid>
      <EndOfList list={list} pageAt={(cursor) => `/user/${person._id}?cursor=${cursor}`} failed={failed} />
    </>
  );
}

/** A person's photos; each opens the preview. */
export function PersonPosts({ person, start, first }: PublishedProps<PostPage>) {
  const text = useText();
  const list = useList(postOptions(person._id, start, first));
  const pictures = useMemo(() => list.items?.map((post) => galleryPicture('post', post)), [list.items]);
  const [open, setOpen] = useState<number>();
  const failed = text('posts.failed');
  if (list.isPending) return <TileGridLoading shape={square} />;
  if (!pictures) return <ListError title={failed} list={list} />;
  if (pictures.length === 0)
    return <NothingYet drawing="photos" title={text('user.noPosts')} person={person} />;
  return (
    <>
      <TileGrid>
        {pictures.map((picture, index) => (
          <li key={picture.id}>
            <PictureTile
              picture={picture}
              early={index < 3}
              label={text('preview.photo', { name: picture.caption || text('preview.untitledPhoto') })}
              onOpen={() => setOpen(index)}
              className={square}
            />
          </li>
        ))}
      </TileGrid>
      <EndOfList
        list={list}
        pageAt={(cursor) => `/user/${person._id}?tab=posts&cursor=${cursor}`}
        failed={failed}
      />
      {open !== undefined && (
        <Preview pictures={pictures} index={open} onShow={setOpen} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}

interface NothingYetProps {
  drawing: DrawingName;
  title: string;
  person: Person;
}

function NothingYet({ drawing, title, person }: NothingYetProps) {
  const text = useText();
  return <EmptyState drawing={drawing} title={title} text={text('user.nothingYet', { name: person.name })} />;
}
