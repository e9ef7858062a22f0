import { Flag, Square, SquareCheck, ThumbsDown, Trash2, VolumeOff } from 'lucide-react';
import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { menuItemLook } from '#web/ui/menu.tsx';
import { notify } from '#web/ui/notices.ts';
import type { FeedReel } from '../feed/feed.ts';
import { mutePerson, muteReel, unmutePerson, unmuteReel } from '../taste/mutes.ts';
import type { Autoplay } from './use-autoplay.ts';
import type { LeftOut } from './use-playlist.ts';

await loadPart('playlist');

export interface MoreItemsProps {
  autoplay: Autoplay;
  reel: FeedReel;
  /** The list that plays is ranked. */
  isRanked: boolean;
  isOwn: boolean;
  /** Deletes one's own reel, or reports somebody else's. */
  onRemove: () => void;
  /** Leaves reels out of the list that plays; the answer takes that back. */
  onLeaveOut: (isOut: LeftOut) => () => void;
}

/** The player's menu for what is seldom changed. */
export default function MoreItems({ autoplay, reel, isRanked, isOwn, onRemove, onLeaveOut }: MoreItemsProps) {
  const text = useText();
  const Remove = isOwn ? Trash2 : Flag;
  const Box = autoplay.isOn ? SquareCheck : Square;
  const { _id, userId, username } = reel;
  function notInterested() {
    muteReel(_id);
    const takeBack = onLeaveOut((one) => one._id === _id);
    notify('info', text('player.fewer'), {
      label: text('player.undo'),
      run: () => {
        unmuteReel(_id);
        takeBack();
      },
    });
  }
  function mute() {
    mutePerson({ _id: userId, username });
    // Other lists show everybody.
    const takeBack = isRanked ? onLeaveOut((one) => one.userId === userId) : undefined;
    notify('info', text('player.personMuted', { username }), {
      label: text('player.undo'),
      run: () => {
        unmutePerson(userId);
        takeBack?.();
      },
    });
  }
  return (
    <>
      <button type="button" aria-pressed={autoplay.isOn} onClick={autoplay.toggle} className={menuItemLook}>
        <Box aria-hidden className="size-5 shrink-0" />
        {text('player.autoplay')}
      </button>
      {!isOwn && (
        <>
          <button type="button" onClick={notInterested} className={menuItemLook}>
            <ThumbsDown aria-hidden className="size-5 shrink-0" />
            {text('player.notInterested')}
          </button>
          <button type="button" onClick={mute} className={menuItemLook}>
            <VolumeOff aria-hidden className="size-5 shrink-0" />
            <span className="truncate">{text('player.mutePerson', { username })}</span>
          </button>
        </>
      )}
      <button type="button" onClick={onRemove} className={menuItemLook}>
        <Remove aria-hidden className="size-5 shrink-0" />
        {text(isOwn ? 'player.delete' : 'report.open')}
      </button>
    </>
  );
}
