import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { isApiError } from '../../../contract/api-error.ts';
import type { Reel } from '../../../contract/reels.ts';
import { useText } from '../../text.tsx';
import { Button, buttonLook } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { notify } from '../../ui/notices.ts';
import { EmptyState, ErrorState } from '../../ui/quiet-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { OwnReel } from './own-reel.tsx';
import { useDeleteReel, useOwnReels } from './use-own-reels.ts';

const grid = 'grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5';

export function OwnReels({ userId }: { userId: string }) {
  const text = useText();
  const list = useOwnReels(userId);
  const [deleting, setDeleting] = useState<Reel>();
  const section = useRef<HTMLElement>(null);
  const remove = useDeleteReel(userId, () => notify('error', text('profile.deleteFailed')));

  if (list.isPending) {
    return (
      <div role="status" aria-label={text('home.loading')} className={grid}>
        {[1, 2, 3].map((place) => (
          <Skeleton key={place} className="aspect-9/16 rounded-tile" />
        ))}
      </div>
    );
  }
  if (!list.data) {
    const why = isApiError(list.error) ? list.error.sentence : text('wrong.text');
    const retry = <Button onClick={() => void list.refetch()}>{text('list.retry')}</Button>;
    return <ErrorState title={text('home.error.title')} text={why} action={retry} />;
  }
  const reels = list.data.pages.flatMap((page) => page.data);
  return (
    <section ref={section} tabIndex={-1} aria-label={text('profile.reels')} className="outline-none">
      {reels.length === 0 ? (
        <EmptyState
          title={text('profile.empty.title')}
          text={text('profile.empty.text')}
          action={
            <Link to="/ReelPost" className={buttonLook('primary')}>
              {text('home.empty.action')}
            </Link>
          }
        />
      ) : (
        <ul className={grid}>
          {reels.map((reel) => (
            <OwnReel key={reel._id} reel={reel} onDelete={() => setDeleting(reel)} />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <div className="mt-6 text-center">
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {text('list.more')}
          </Button>
        </div>
      )}
      <Dialog
        open={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        title={text('profile.confirm.title')}
        closeLabel={text('dialog.close')}
      >
        <p className="mb-5 text-soft">{text('profile.confirm.text')}</p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={() => setDeleting(undefined)}>{text('profile.confirm.keep')}</Button>
          <Button
            kind="danger"
            onClick={() => {
              if (deleting) remove.mutate(deleting._id);
              setDeleting(undefined);
              // The button that opened the dialog goes with its reel: the list takes the focus.
              requestAnimationFrame(() => section.current?.focus({ preventScroll: true }));
            }}
          >
            {text('profile.confirm.delete')}
          </Button>
        </div>
      </Dialog>
    </section>
  );
}
