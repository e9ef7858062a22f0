import type { LucideIcon } from 'lucide-react';
import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';

interface PlaybackMessageProps {
  /** The message. */
  why: MessageId;
  icon: LucideIcon;
  /** The problem may end by itself, so it is announced as a status and not as an alert. */
  passes?: boolean;
  action?: { label: MessageId; onClick: () => void } | undefined;
}

/** Says why the video does not play, and offers an action. */
export function PlaybackMessage({ why, icon: Icon, passes = false, action }: PlaybackMessageProps) {
  const text = useText();
  return (
    <div role={passes ? 'status' : 'alert'} className="player-hold-up">
      <p className="flex items-center gap-2.5 text-balance">
        <Icon aria-hidden className="size-5 shrink-0 text-marigold" />
        {text(why)}
      </p>
      {action && (
        <button type="button" onClick={action.onClick} className="player-pill needs-script">
          {text(action.label)}
        </button>
      )}
    </div>
  );
}

/** The loading indicator. */
export function Loading() {
  const text = useText();
  return (
    <div role="status" className="player-loading">
      <span className="sr-only">{text('player.loading')}</span>
    </div>
  );
}
