import { Link } from 'react-router';
import { labelOf } from '#contract/destination-label.ts';
import { useText } from '#web/text.tsx';
import { Button, buttonLook } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useMonthList } from '../earnings/month-list.ts';
import { useDestination } from './use-destination.ts';

interface WithdrawSheetProps {
  userId: string;
  month: Date;
  /** What is paid, with the months it carries. */
  paise: number;
  carries: readonly Date[];
  onConfirm: () => void;
  onClose: () => void;
}

/** Shows what is about to be requested and where it will be paid. */
export function WithdrawSheet({ userId, month, paise, carries, onConfirm, onClose }: WithdrawSheetProps) {
  const text = useText();
  const listOf = useMonthList();
  const { data: destination } = useDestination(userId);
  const to = destination && labelOf(destination);
  const missing = destination === null ? 'payout.add' : destination?.nameNotTaken ? 'payout.enterName' : null;
  const facts = [
    [text('payout.sheetMonth'), text('payout.sheetMonthOf', { month })],
    [text('payout.sheetAmount'), text('money', { rupees: paise / 100 })],
    [text('payout.sheetTo'), to || '—'],
  ];
  return (
    <Dialog
      open
      onClose={onClose}
      title={text('payout.sheetTitle')}
      closeLabel={text('dialog.close')}
      // On a phone that lies on its side both buttons fit beside each other.
      className="short:w-[min(40rem,calc(100vw-1.5rem))]"
    >
      <dl className="grid gap-3">
        {facts.map(([name, value]) => (
          <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <dt className="text-soft">{name}</dt>
            <dd className="figures font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      {carries.length > 0 && (
        <p className="mt-4 text-pretty text-soft">{text('carry.includes', { months: listOf(carries) })}</p>
      )}
      {destination === null && <p className="mt-4 text-pretty">{text('payout.sheetNowhere')}</p>}
      {destination?.nameNotTaken && <p className="mt-4 text-pretty">{text('payout.nameNotTaken')}</p>}
      {destination?.heldUntil && (
        <p className="mt-4 text-pretty text-soft">
          {text('payout.held', { date: new Date(destination.heldUntil) })}
        </p>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        {missing && (
          <Link to="/PayoutDestination" className={buttonLook('primary')}>
            {text(missing)}
          </Link>
        )}
        <Button kind={missing ? 'secondary' : 'primary'} onClick={onConfirm}>
          {text(destination === null ? 'payout.sheetLater' : 'payout.sheetConfirm')}
        </Button>
      </div>
    </Dialog>
  );
}
