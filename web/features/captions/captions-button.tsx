import { ClosedCaption } from 'lucide-react';
import { useState } from 'react';
import { useText } from '#web/text.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Menu } from '#web/ui/menu.tsx';
import { fetchedPart } from '../offline/fetched-part.tsx';
import type { Captions } from './use-captions.ts';

const CaptionsItems = fetchedPart(() => import('./captions-items.tsx'));

interface CaptionsButtonProps {
  captions: Captions;
  className: string;
}

/** Turns captions on and off; with several languages it opens a menu. */
export function CaptionsButton({ captions, className }: CaptionsButtonProps) {
  const text = useText();
  const [isOpen, setIsOpen] = useState(false);
  const { tracks, shown, toggle } = captions;
  const icon = <ClosedCaption aria-hidden className={classNames('size-6', shown && 'text-marigold')} />;
  const label = text('captions.label');
  if (tracks.length === 0) return null;
  if (tracks.length === 1) {
    return (
      <button
        type="button"
        aria-label={label}
        title={label}
        aria-pressed={shown !== undefined}
        onClick={toggle}
        className={classNames('needs-script', className)}
      >
        {icon}
      </button>
    );
  }
  return (
    <div className="needs-script">
      <Menu
        label={label}
        trigger={icon}
        triggerClassName={classNames(className, 'cursor-pointer list-none')}
        panelClassName="text-text"
        onToggle={setIsOpen}
      >
        {isOpen && <CaptionsItems captions={captions} />}
      </Menu>
    </div>
  );
}
