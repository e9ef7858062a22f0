import { ArrowLeft, Ellipsis, Volume2, VolumeX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { CaptionsButton } from '../captions/captions-button.tsx';
import type { Captions } from '../captions/use-captions.ts';
import { fetchedPart } from '../offline/fetched-part.tsx';
import type { MoreItemsProps } from './more-items.tsx';
import { RoundButton, roundLook } from './round-button.tsx';
import type { Autoplay } from './use-autoplay.ts';
import type { Sound } from './use-sound.ts';

const MoreItems = fetchedPart(() => import('./more-items.tsx'));

interface TopBarProps extends Omit<MoreItemsProps, 'autoplay'> {
  sound: Sound;
  captions: Captions;
  autoplay: Autoplay;
  leave: () => void;
  tabs: ReactNode;
}

export function TopBar({ sound, captions, autoplay, leave, tabs, ...more }: TopBarProps) {
  const text = useText();
  // Before hydration the previous page is unknown, so the button leads to Home.
  const hydrated = useHydrated();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="player-head">
      {hydrated ? (
        <RoundButton icon={ArrowLeft} label={text('player.back')} onClick={leave} />
      ) : (
        <Link to="/" aria-label={text('player.back')} className={roundLook}>
          <ArrowLeft aria-hidden className="size-6" />
        </Link>
      )}
      {tabs}
      {/* The element takes all free width, so that its changing content does not shift others. */}
      <div className="player-sound">
        {sound.blocked ? (
          <button type="button" onClick={sound.toggle} className="player-pill">
            <VolumeX aria-hidden className="size-5 shrink-0" />
            <span className="pt-0.5">{text('player.tapForSound')}</span>
          </button>
        ) : (
          <RoundButton
            icon={sound.muted ? VolumeX : Volume2}
            label={text(sound.muted ? 'player.unmute' : 'player.mute')}
            onClick={sound.toggle}
          />
        )}
        {/* The menus are last, so that they have the width to their left. */}
        <CaptionsButton captions={captions} className={roundLook} />
        <div className="needs-script">
          <Menu
            label={text('player.more')}
            trigger={<Ellipsis aria-hidden className="size-6" />}
            triggerClassName={roundLook}
            panelClassName="text-text"
            onToggle={setIsOpen}
          >
            {isOpen && <MoreItems autoplay={autoplay} {...more} />}
          </Menu>
        </div>
      </div>
    </div>
  );
}
