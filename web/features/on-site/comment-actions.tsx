import { useNavigate } from 'react-router';
import type { Comment } from '#contract/reels.ts';
import { useText } from '#web/text.tsx';
import { useSession } from '../session/use-session.ts';
import { answer, unsay } from './own-comments.ts';

const look = 'min-h-11 pr-4 text-[0.9375rem] font-semibold text-soft hover:text-text';

/** Answers a comment, or deletes one's own (INTERACTIONS=web). */
export function CommentActions({ reelId, comment }: { reelId: string; comment: Comment }) {
  const text = useText();
  const navigate = useNavigate();
  const { user } = useSession();
  const { username, userId } = comment;
  return (
    <p className="-my-1 flex">
      {user?._id === userId ? (
        <button
          type="button"
          className={look}
          onClick={({ currentTarget }) => {
            currentTarget.closest('section')?.focus({ preventScroll: true });
            void unsay(reelId, comment);
          }}
        >
          {text('onsite.delete')}
        </button>
      ) : (
        <button
          type="button"
          className={look}
          aria-label={text('onsite.answerTo', { username })}
          onClick={() => answer(reelId, comment, navigate)}
        >
          {text('onsite.answer')}
        </button>
      )}
    </p>
  );
}
