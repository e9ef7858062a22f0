import { Check, Flag, Trash2 } from 'lucide-react';
import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { menuItemLook } from '#web/ui/menu.tsx';
import type { Autoplay } from './use-autoplay.ts';

await loadPart('playlist');

interface MoreItemsProps {
  autoplay: Autoplay;
  isOwn: boolean;
  /** Deletes one's own reel, or reports somebody else's. */
  onRemove: () => void;
}

/** The player's menu for what is seldom changed. */
export default function MoreItems({ autoplay, isOwn, onRemove }: MoreItemsProps) {
  const text = useText();
  const Remove = isOwn ? Trash2 : Flag;
  return (
    <>
      <button type="button" aria-pressed={autoplay.isOn} onClick={autoplay.toggle} className={menuItemLook}>
        <Check aria-hidden className={classNames('size-5 shrink-0', !autoplay.isOn && 'opacity-0')} />
        {text('player.autoplay')}
      </button>
      <button type="button" onClick={onRemove} className={menuItemLook}>
        <Remove aria-hidden className="size-5 shrink-0" />
        {text(isOwn ? 'player.delete' : 'report.open')}
      </button>
    </>
  );
}
