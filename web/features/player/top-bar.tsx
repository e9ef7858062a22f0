import { ArrowLeft, Volume2, VolumeX } from 'lucide-react';
import { Link } from 'react-router';
import { useText } from '../../text.tsx';
import { useHydrated } from '../../ui/hydrated.ts';
import { CaptionsButton } from '../captions/captions-button.tsx';
import type { Captions } from '../captions/use-captions.ts';
import { RoundButton, roundLook } from './round-button.tsx';
import type { Sound } from './use-sound.ts';

interface TopBarProps {
  sound: Sound;
  captions: Captions;
  leave: () => void;
}

export function TopBar({ sound, captions, leave }: TopBarProps) {
  const text = useText();
  // Before any script runs there is no way back to know of: the way out is Home.
  const hydrated = useHydrated();
  return (
    <div className="player-head pointer-events-none absolute inset-x-0 top-0 z-10 flex items-center justify-between gap-3 px-3 pb-10 pt-[max(0.75rem,env(safe-area-inset-top))] *:pointer-events-auto sm:px-5 sm:pt-5">
      {hydrated ? (
        <RoundButton icon={ArrowLeft} label={text('player.back')} onClick={leave} />
      ) : (
        <Link to="/" aria-label={text('player.back')} className={roundLook}>
          <ArrowLeft aria-hidden className="size-6" />
        </Link>
      )}
      {/* As wide as there is room, so that what changes in it moves no box; what lies behind it is still reached. */}
      <div className="pointer-events-none! flex flex-1 items-center justify-end gap-3 *:pointer-events-auto">
        {sound.blocked ? (
          <button
            type="button"
            onClick={sound.toggle}
            className="flex min-h-12 items-center gap-2.5 rounded-full bg-marigold px-5 pt-0.5 font-semibold text-night"
          >
            <VolumeX aria-hidden className="-mt-0.5 size-5" />
            {text('player.tapForSound')}
          </button>
        ) : (
          <RoundButton
            icon={sound.muted ? VolumeX : Volume2}
            label={text(sound.muted ? 'player.unmute' : 'player.mute')}
            onClick={sound.toggle}
          />
        )}
        {/* Last, so that what it opens has the whole width to its left. */}
        <CaptionsButton captions={captions} className={roundLook} />
      </div>
    </div>
  );
}
