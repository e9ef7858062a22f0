import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useSite } from '../chrome/use-site.ts';
import Comments from '../comments/comments.tsx';
import type { ActionDialogProps } from '../interactions/controls.ts';
import { Counts } from '../player/counts.tsx';
import { ShareLink } from '../share/share-link.tsx';
import { CommentField } from './comment-field.tsx';
import { useOwnResponse } from './own-response.ts';
import { countShare } from './responses.ts';

await loadPart('player');

/** What opens for a reel on a site without an app: its comments with a field, ways to share it, or its counts. */
export default function ActionDialog({ reel, action, onClose }: ActionDialogProps) {
  const text = useText();
  const { origin } = useSite();
  const response = useOwnResponse(reel._id);
  const now = { ...reel, ...response };
  const titles = {
    like: text('player.likes', { count: now.likeCount }),
    comment: text('player.comments', { count: now.commentCount }),
    share: text('post.share'),
    view: text('player.inApp.view', { count: now.views + 1, date: new Date(reel.createdAt) }),
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={titles[action]}
      closeLabel={text('dialog.close')}
      className="player-sheet"
    >
      {action === 'comment' && (
        <>
          <Comments reelId={reel._id} />
          <div className="sticky bottom-0 -mx-6 -mb-6 mt-5 border-t border-line bg-surface p-4">
            <CommentField reelId={reel._id} />
          </div>
        </>
      )}
      {action === 'share' && (
        <ShareLink
          address={`${origin}/videoplayer?reel=${reel._id}`}
          label={text('share.page')}
          reel={reel}
          onShared={() => countShare(reel._id)}
        />
      )}
      {action === 'view' && <Counts reel={now} />}
    </Dialog>
  );
}
