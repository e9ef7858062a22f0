import { Flag } from 'lucide-react';
import { useState } from 'react';
import { useText } from '#web/text.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { useSession } from '../session/use-session.ts';
import { ReportDialog } from './fetched-dialog.ts';
import type { Reported } from './report-dialog.tsx';

interface ReportButtonProps extends Reported {
  /** Who has published it, or the reported person: nobody reports themselves. */
  ownerId: string;
  className?: string;
}

/** Opens the dialog that reports something to the operators. */
export function ReportButton({ kind, id, ownerId, className }: ReportButtonProps) {
  const text = useText();
  const { user } = useSession();
  const [open, setOpen] = useState(false);
  if (user?._id === ownerId) return null;
  return (
    <>
      <IconButton
        label={text('report.open')}
        onClick={() => setOpen(true)}
        className={classNames('needs-script text-soft', className)}
      >
        <Flag aria-hidden className="size-5" />
      </IconButton>
      {open && <ReportDialog kind={kind} id={id} onClose={() => setOpen(false)} />}
    </>
  );
}
