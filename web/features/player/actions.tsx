import type { LucideIcon } from 'lucide-react';
import { ChevronDown, ChevronUp, Eye, Heart, MessageCircle, Share2 } from 'lucide-react';
import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import type { FeedReel } from '../feed/feed.ts';
import type { Action, OwnResponse } from '../interactions/controls.ts';
import { RoundButton } from './round-button.tsx';

interface ActionsProps {
  reel: FeedReel;
  own: OwnResponse | undefined;
  onPress: (action: Action) => void;
  hasNext: boolean;
  move: (by: 1 | -1) => void;
}

/** The column of buttons beside the video. The view count is the stored one plus the current view (specification §4). */
export function Actions({ reel, own, onPress, hasNext, move }: ActionsProps) {
  const text = useText();
  const { likeCount, commentCount, shareviews, views } = { ...reel, ...own };
  const counts: { action: Action; icon: LucideIcon; label: MessageId; count: number }[] = [
    { action: 'like', icon: Heart, label: 'player.likes', count: likeCount },
    { action: 'comment', icon: MessageCircle, label: 'player.comments', count: commentCount },
    { action: 'share', icon: Share2, label: 'player.shares', count: shareviews },
    { action: 'view', icon: Eye, label: 'player.views', count: views + 1 },
  ];
  return (
    <div className="player-rail needs-script">
      {counts.map(({ action, icon: Icon, label, count }) => (
        <button
          key={label}
          type="button"
          onClick={() => onPress(action)}
          aria-pressed={action === 'like' ? own?.liked : undefined}
          aria-label={text(label, { count })}
          title={text(label, { count })}
          className="group grid min-w-12 justify-items-center rounded-2xl"
        >
          <span className="over-video grid size-12 place-items-center rounded-full">
            <Icon
              aria-hidden
              className="size-6 transition-transform group-hover:scale-110 group-aria-pressed:fill-heart group-aria-pressed:text-heart"
            />
          </span>
          <span aria-hidden className="player-count figures">
            {text('count', { count })}
          </span>
        </button>
      ))}
      {([-1, 1] as const).map((by) => (
        <RoundButton
          key={by}
          icon={by === 1 ? ChevronDown : ChevronUp}
          label={text(by === 1 ? 'player.next' : 'player.previous')}
          // In place also for a single reel: whether it has a next one is known after the first paint.
          disabled={!hasNext}
          onClick={() => move(by)}
        />
      ))}
    </div>
  );
}
