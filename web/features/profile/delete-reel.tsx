import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { notify } from '#web/ui/notices.ts';
import type { FeedReel } from '../feed/feed.ts';
import { ConfirmDelete } from './confirm-delete.tsx';
import type { Own } from './own.ts';
import { useDeleteOwn } from './use-own-list.ts';

await loadPart('profile');

interface DeleteReelProps {
  reel: FeedReel;
  onClose: () => void;
  /** Called when the deletion has begun. */
  onDelete: () => void;
}

/** Deletes the own reel that the player shows. */
export default function DeleteReel({ reel, onClose, onDelete }: DeleteReelProps) {
  const text = useText();
  const { _id, userId, caption, createdAt } = reel;
  const own: Own = { _id, kind: 'reels', caption, createdAt };
  const remove = useDeleteOwn(userId, () => notify('error', text('profile.deleteFailed')));
  return (
    <ConfirmDelete
      own={own}
      onCancel={onClose}
      onDelete={() => {
        remove.mutate(own);
        onDelete();
      }}
    />
  );
}
