import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { Button, buttonLook } from '#web/ui/button.tsx';
import { notify } from '#web/ui/notices.ts';
import { EmptyState } from '#web/ui/quiet-state.tsx';
import { EndOfList } from '../lists/end-of-list.tsx';
import { ListError } from '../lists/list-error.tsx';
import { fetchedPart } from '../offline/fetched-part.tsx';
import { nextPagesAfter } from '../player/next-pages.ts';
import { TileGrid, TileGridLoading } from '../showcase/tile-grid.tsx';
import { ConfirmDelete } from './confirm-delete.tsx';
import type { Own, OwnKind } from './own.ts';
import { OwnTile, shapeOf } from './own-tile.tsx';
import { useCaptionsChanged, useDeleteOwn, useEditOwn, useOwnList } from './use-own-list.ts';
import { useReelViews } from './use-reel-views.ts';

const Preview = fetchedPart(() => import('../showcase/preview.tsx'));
const CaptionsDialog = fetchedPart(() => import('../captions/captions-dialog.tsx'));
const EditDialog = fetchedPart(() => import('../editing/edit-dialog.tsx'));
const uploadOf = { reels: '/ReelPost', posts: '/PhotoPost', stories: '/StoryPost' } as const;

/** The person's own items of a kind, with preview, editing and deletion; a hint if there are none. */
export function OwnList({ userId, kind }: { userId: string; kind: OwnKind }) {
  const text = useText();
  const list = useOwnList(userId, kind);
  const [open, setOpen] = useState<string>();
  const [deleting, setDeleting] = useState<Own>();
  const [editing, setEditing] = useState<Own>();
  const [captioning, setCaptioning] = useState<string>();
  const section = useRef<HTMLElement>(null);
  const remove = useDeleteOwn(userId, () => notify('error', text('profile.deleteFailed')));

  const captionsChanged = useCaptionsChanged(userId);
  const edit = useEditOwn(userId);
  const reels = (list.items ?? []).flatMap(({ reel }) => reel ?? []);
  const viewsOf = useReelViews(
    userId,
    reels.map(({ _id }) => _id),
  );

  if (list.isPending) return <OwnListLoading kind={kind} />;
  const failed = text('profile.listFailed');
  if (!list.items) return <ListError title={failed} list={list} />;
  const playlist = { videos: reels, rest: nextPagesAfter(list.nextCursor, { of: 'person', userId }) };
  const pictures = list.items.flatMap(({ picture }) => picture ?? []);
  // Found by id, since new items may be added before it.
  const index = pictures.findIndex(({ id }) => id === open);
  const captioned = reels.find(({ _id }) => _id === captioning);
  return (
    <section ref={section} tabIndex={-1} aria-label={text(`profile.${kind}`)} className="outline-none">
      {list.items.length === 0 && !list.nextCursor ? (
        <EmptyState
          drawing={kind === 'posts' ? 'photos' : kind}
          title={text(`profile.empty.${kind}.title`)}
          text={text(`profile.empty.${kind}.text`)}
          action={
            <Link to={uploadOf[kind]} className={buttonLook('primary')}>
              {text(`profile.empty.${kind}.action`)}
            </Link>
          }
        />
      ) : (
        <TileGrid className="gap-y-4!">
          {list.items.map((own, place) => (
            <OwnTile
              key={own._id}
              own={own}
              playlist={playlist}
              views={viewsOf(own._id)}
              early={place < 3}
              onOpen={() => setOpen(own._id)}
              onEdit={() => setEditing(own)}
              onDelete={() => setDeleting(own)}
            />
          ))}
        </TileGrid>
      )}
      <EndOfList list={list} pageAt={() => `/UserProfile?tab=${kind}`} failed={failed} />
      {index >= 0 && (
        <Preview
          pictures={pictures}
          index={index}
          onShow={(at) => setOpen(pictures[at]?.id)}
          onClose={() => setOpen(undefined)}
          ownActions={(id) => (
            <Button
              kind="danger"
              className="px-3!"
              onClick={() => {
                setOpen(undefined);
                setDeleting(list.items?.find(({ _id }) => _id === id));
              }}
            >
              {text('profile.confirm.delete')}
            </Button>
          )}
        />
      )}
      {captioned && (
        <CaptionsDialog
          reelId={captioned._id}
          tracks={captioned.captionTracks}
          onChanged={(tracks) => captionsChanged(captioned._id, tracks)}
          onClose={() => setCaptioning(undefined)}
        />
      )}
      {editing?.editable && (
        <EditDialog
          // What was typed before another device edited it is not shown again.
          draft={`edit.${editing._id}.${editing.editedAt ?? ''}`}
          editable={editing.editable}
          onSave={(changes) => edit(editing, changes)}
          onCaptions={() => {
            setEditing(undefined);
            setCaptioning(editing._id);
          }}
          // Another one may have been opened while this one was saved.
          onClose={() => setEditing((now) => (now === editing ? undefined : now))}
        />
      )}
      <ConfirmDelete
        own={deleting}
        onCancel={() => setDeleting(undefined)}
        onDelete={(own) => {
          remove.mutate(own);
          setDeleting(undefined);
          // The dialog's button is removed together with the deleted item, so the list gets the focus.
          requestAnimationFrame(() => section.current?.focus({ preventScroll: true }));
        }}
      />
    </section>
  );
}

export const OwnListLoading = ({ kind }: { kind: OwnKind }) => <TileGridLoading shape={shapeOf(kind)} />;
