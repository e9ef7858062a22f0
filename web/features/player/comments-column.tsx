import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import type { FeedReel } from '../feed/feed.ts';
import { controls } from '../interactions/controls.ts';
import { fetchedPart } from '../offline/fetched-part.tsx';

const Comments = fetchedPart(() => import('../comments/comments.tsx'));

interface CommentsColumnProps {
  reel: FeedReel;
  commentCount: number;
  /** Opens the app's popup: comments are written there. */
  onComment: () => void;
}

/** The comments beside the video, which goes on. Narrower screens do not show it (player.css). */
export function CommentsColumn({ reel, commentCount, onComment }: CommentsColumnProps) {
  const text = useText();
  const { CommentField } = controls;
  return (
    <aside className="player-comments dark bg-surface text-text">
      <h2 className="px-5 pb-3 pt-5 text-xl">{text('player.comments', { count: commentCount })}</h2>
      <div className="min-h-0 overflow-y-auto overscroll-contain px-5 pb-5 pt-2">
        <Comments key={reel._id} reelId={reel._id} />
      </div>
      <div className="border-t border-line p-4">
        {CommentField ? (
          <CommentField reelId={reel._id} />
        ) : (
          <Button className="w-full" onClick={onComment}>
            {text('comments.inApp')}
          </Button>
        )}
      </div>
    </aside>
  );
}
