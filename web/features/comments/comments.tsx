import { Link, useLocation } from 'react-router';
import type { Comment } from '#contract/reels.ts';
import { useText } from '#web/text.tsx';
import { TimeAgo } from '#web/time-ago.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Drawing } from '#web/ui/drawing.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { controls } from '../interactions/controls.ts';
import { useList } from '../lists/use-list.ts';
import { ReportButton } from '../reports/report-button.tsx';
import { FoldedWords } from '../words/folded-words.tsx';
import { commentOptions, threadOf } from './comments.ts';

/** The comments on a reel, newest first, with their answers. Names lead to profiles. The one whose id is the hash of the address is shown first. */
export default function Comments({ reelId }: { reelId: string }) {
  const text = useText();
  const list = useList(commentOptions(reelId));
  const { items, nextCursor } = list;
  if (!items && list.isError)
    return (
      <div role="alert" className="grid justify-items-start gap-3">
        <p>{text('comments.failed')}</p>
        <Button onClick={() => void list.refetch()} busy={list.isFetching}>
          {text('list.retry')}
        </Button>
      </div>
    );
  if (!items) return <Loading />;
  return (
    // A control that is gone with its comment hands the focus over to it.
    <section tabIndex={-1} aria-label={text('comments.label')} className="outline-none">
      {items.length === 0 && (
        <div className="grid justify-items-center gap-3 py-4 text-center">
          <Drawing name="comments" />
          <p className="text-soft">{text('comments.none')}</p>
        </div>
      )}
      <ul className="grid gap-5">
        {items.map((comment, at) => (
          <Line
            key={comment._id}
            reelId={reelId}
            comment={comment}
            // What it answers may not be shown to this person.
            isBelow={comment.parentId !== undefined && threadOf(items[at - 1]) === comment.parentId}
          />
        ))}
      </ul>
      {nextCursor && (
        <Button className="mt-5" onClick={() => void list.fetchNextPage()} busy={list.isFetchingNextPage}>
          {text(list.isFetchNextPageError ? 'list.retry' : 'list.more')}
        </Button>
      )}
    </section>
  );
}

const scrollTo = (line: HTMLElement | null) => line?.scrollIntoView({ block: 'center' });

interface LineProps {
  reelId: string;
  comment: Comment;
  /** Stands below what it answers. */
  isBelow: boolean;
}

function Line({ reelId, comment, isBelow }: LineProps) {
  const { CommentActions } = controls;
  const { userId, username, profilePic, text: words, createdAt } = comment;
  const isAskedFor = useLocation().hash === `#${comment._id}`;
  return (
    <li
      ref={isAskedFor ? scrollTo : undefined}
      aria-current={isAskedFor || undefined}
      className={classNames(
        'grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3',
        isBelow && 'ml-10',
        isAskedFor && '-mx-3 rounded-panel bg-sunken px-3 py-2',
      )}
    >
      <Avatar src={profilePic} name={username} />
      <div>
        <p className="flex items-baseline gap-2">
          <Link
            to={`/user/${userId}`}
            state={{ username }}
            className="truncate font-semibold hover:underline"
          >
            @{username}
          </Link>
          <TimeAgo at={createdAt} className="shrink-0 text-[0.9375rem] text-soft" />
        </p>
        <FoldedWords words={words} />
        {CommentActions && <CommentActions reelId={reelId} comment={comment} />}
      </div>
      <ReportButton kind="comment" id={comment._id} ownerId={userId} className="-mr-2 -mt-1.5" />
    </li>
  );
}

function Loading() {
  const text = useText();
  return (
    <div role="status" aria-label={text('player.loading')} className="grid gap-5">
      {[1, 2, 3].map((place) => (
        <div key={place} className="flex gap-3">
          <Skeleton className="size-10 shrink-0 rounded-full" />
          <div className="grid flex-1 content-center gap-2">
            <Skeleton className="h-4 w-1/3 rounded" />
            <Skeleton className="h-4 rounded" />
          </div>
        </div>
      ))}
    </div>
  );
}
