import { Heart, type LucideIcon, MessageCircle, Share2 } from 'lucide-react';
import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';

const buttons: { icon: LucideIcon; name: MessageId; why: MessageId }[] = [
  { icon: Heart, name: 'post.like', why: 'post.likeInApp' },
  { icon: MessageCircle, name: 'post.comment', why: 'post.commentInApp' },
  { icon: Share2, name: 'post.share', why: 'post.shareInApp' },
];

/**
 * Like, comment and share of a post work only in the app (specification §2, /ShowPosts), as their description says.
 */
export function AppOnly({ post: { likeCount } }: { post: { likeCount: number } }) {
  const text = useText();
  return (
    <div className="needs-script -ml-2.5 flex">
      {buttons.map(({ icon: Icon, name, why }) => (
        <button
          key={name}
          type="button"
          aria-disabled
          aria-label={text(name, { count: likeCount })}
          title={text(why)}
          className="flex min-h-11 min-w-11 items-center justify-center gap-1.5 rounded-control px-2.5 text-soft"
        >
          <Icon aria-hidden className="size-5.5" />
          {name === 'post.like' && (
            <span aria-hidden className="figures pt-0.5 font-semibold">
              {text('count', { count: likeCount })}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
