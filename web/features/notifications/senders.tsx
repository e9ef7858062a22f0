import { Avatar } from '#web/ui/avatar.tsx';
import { classNames } from '#web/ui/class-names.ts';
import type { Line } from './grouped-likes.ts';

/** Where the pictures of several people are, by their number: one in front of the other, in the room of a single one. */
const places = {
  2: { size: 'size-8 text-sm', at: ['left-0 top-0', 'bottom-0 right-0'] },
  3: { size: 'size-7 text-xs', at: ['left-0 top-0', 'right-0 top-0', 'bottom-0 left-2.5'] },
} as const;

/** The pictures of the newest three people of a line. */
export function Senders({ line }: { line: Line }) {
  const [newest] = line;
  if (line.length === 1)
    return <Avatar src={newest.profileImage} name={newest.username} className="size-12 text-xl" />;
  const { size, at } = places[line.length === 2 ? 2 : 3];
  return (
    <span className="relative size-12 shrink-0">
      {at.map((place, nth) => {
        const { profileImage, username, senderId } = line[nth] ?? newest;
        return (
          <span key={senderId} className={classNames('absolute rounded-full bg-ground p-0.5', place)}>
            <Avatar src={profileImage} name={username} className={size} />
          </span>
        );
      })}
    </span>
  );
}
