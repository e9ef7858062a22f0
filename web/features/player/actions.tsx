import type { LucideIcon } from 'lucide-react';
import { ChevronDown, ChevronUp, Eye, Heart, MessageCircle, Share2 } from 'lucide-react';
import type { MessageId } from '../../messages/catalogues.ts';
import { useText } from '../../text.tsx';
import type { FeedReel } from '../feed/feed.ts';
import { RoundButton } from './round-button.tsx';

interface ActionsProps {
  reel: FeedReel;
  /** Like, comment, share and view live in the app (specification §1). */
  onAppOnly: () => void;
  move: ((by: 1 | -1) => void) | undefined;
}

/** The column beside the video. The view count is the stored one plus this showing (specification §4). */
export function Actions({ reel, onAppOnly, move }: ActionsProps) {
  const text = useText();
  const counts: { icon: LucideIcon; label: MessageId; count: number }[] = [
    { icon: Heart, label: 'player.likes', count: reel.likeCount },
    { icon: MessageCircle, label: 'player.comments', count: reel.commentCount },
    { icon: Share2, label: 'player.shares', count: reel.shareviews },
    { icon: Eye, label: 'player.views', count: reel.views + 1 },
  ];
  return (
    <div className="needs-script grid justify-items-center gap-2.5 sm:gap-3">
      {move && <RoundButton icon={ChevronUp} label={text('player.previous')} onClick={() => move(-1)} />}
      {counts.map(({ icon: Icon, label, count }) => (
        <button
          key={label}
          type="button"
          onClick={onAppOnly}
          aria-label={text(label, { count })}
          title={text(label, { count })}
          className="group grid justify-items-center rounded-2xl"
        >
          <span className="over-video grid size-12 place-items-center rounded-full">
            <Icon aria-hidden className="size-6 transition-transform group-hover:scale-110" />
          </span>
          <span
            aria-hidden
            className="figures pt-1 text-[0.9375rem] font-semibold leading-none drop-shadow-md"
          >
            {text('count', { count })}
          </span>
        </button>
      ))}
      {move && <RoundButton icon={ChevronDown} label={text('player.next')} onClick={() => move(1)} />}
    </div>
  );
}
