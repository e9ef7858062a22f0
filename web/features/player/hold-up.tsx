import type { LucideIcon } from 'lucide-react';
import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';

interface HoldUpProps {
  /** What to say. */
  why: MessageId;
  icon: LucideIcon;
  /** It passes by itself. */
  passes?: boolean;
  action?: { label: MessageId; onClick: () => void } | undefined;
}

/** Why nothing goes on, and what can be done about it. */
export function HoldUp({ why, icon: Icon, passes = false, action }: HoldUpProps) {
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

/** Something is on its way. */
export function Loading() {
  const text = useText();
  return (
    <div role="status" className="player-loading">
      <span className="sr-only">{text('player.loading')}</span>
    </div>
  );
}
