import { Avatar } from '#web/ui/avatar.tsx';
import { classNames } from '#web/ui/class-names.ts';

interface RingedAvatarProps {
  src: string;
  name: string;
  /** Whether all stories of the person were seen; undefined if there are none. */
  seen: boolean | undefined;
  className: string;
}

/** The picture of a person; with stories in a golden ring, or a grey one if they were seen. Without it its place is kept. */
export const RingedAvatar = ({ src, name, seen, className }: RingedAvatarProps) => (
  <span
    className={classNames(
      'block w-fit rounded-full border-[3px] p-0.5',
      seen === undefined ? 'border-transparent' : seen ? 'border-line-strong/60' : 'border-accent',
    )}
  >
    <Avatar src={src} name={name} className={className} />
  </span>
);
