import { ArrowLeft, Flag, Trash2, Volume2, VolumeX } from 'lucide-react';
import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { CaptionsButton } from '../captions/captions-button.tsx';
import type { Captions } from '../captions/use-captions.ts';
import { RoundButton, roundLook } from './round-button.tsx';
import type { Sound } from './use-sound.ts';

interface TopBarProps {
  sound: Sound;
  captions: Captions;
  leave: () => void;
  isOwn: boolean;
  /** Deletes one's own reel, or reports somebody else's. */
  onRemove: () => void;
}

export function TopBar({ sound, captions, leave, isOwn, onRemove }: TopBarProps) {
  const text = useText();
  // Before hydration the previous page is unknown, so the button leads to Home.
  const hydrated = useHydrated();
  return (
    <div className="player-head">
      {hydrated ? (
        <RoundButton icon={ArrowLeft} label={text('player.back')} onClick={leave} />
      ) : (
        <Link to="/" aria-label={text('player.back')} className={roundLook}>
          <ArrowLeft aria-hidden className="size-6" />
        </Link>
      )}
      <RoundButton
        icon={isOwn ? Trash2 : Flag}
        label={text(isOwn ? 'player.delete' : 'report.open')}
        onClick={onRemove}
      />
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
        {/* The button is last, so that its menu has the whole width to its left. */}
        <CaptionsButton captions={captions} className={roundLook} />
      </div>
    </div>
  );
}
