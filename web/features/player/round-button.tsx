import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from '#web/ui/class-names.ts';

export const roundLook = 'over-video grid size-12 shrink-0 place-items-center rounded-full';

interface RoundButtonProps extends ComponentProps<'button'> {
  icon: LucideIcon;
  label: string;
}

/** A round button on top of the video. */
export function RoundButton({ icon: Icon, label, className, ...rest }: RoundButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      title={label}
      className={classNames('needs-script', roundLook, className)}
    >
      <Icon aria-hidden className="size-6" />
    </button>
  );
}
