import { useEffect, useState } from 'react';
import { rates } from '#contract/earning-rules.ts';
import { storageKeys } from '#web/storage-keys.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Coin } from './coin.tsx';
import type { MonthRecord } from './earnings.ts';

/** Delay after the coins are known, in milliseconds (specification §2). */
const afterwards = 1000;

/** The congratulation on the first whole rupee (500 coins), once for each person and month on a device. */
export function Congratulation({ userId, record }: { userId: string; record: MonthRecord }) {
  const text = useText();
  const [open, setOpen] = useState(false);
  const { coins, paise, month } = record;
  const reached = coins >= rates.coinsPerRupee;
  useEffect(() => {
    const occasion = `${userId} ${month}`;
    if (!reached || lastSeen() === occasion) return;
    const timer = setTimeout(() => {
      setOpen(true);
      noteSeen(occasion);
    }, afterwards);
    return () => clearTimeout(timer);
  }, [reached, userId, month]);
  const close = () => setOpen(false);
  return (
    <Dialog
      open={open}
      onClose={close}
      title={text('congratulation.title')}
      closeLabel={text('dialog.close')}
      className="text-pretty"
    >
      <div className="lit-night mb-5 grid h-36 place-items-center rounded-tile short:hidden">
        <div className="flex -space-x-3">
          <Coin className="mt-6 size-12" />
          <Coin className="size-16" />
          <Coin className="mt-8 size-10" />
        </div>
      </div>
      <p className="text-lg">{text('congratulation.text', { coins, rupees: paise / 100 })}</p>
      <Button kind="primary" className="mt-6 w-full" onClick={close}>
        {text('congratulation.continue')}
      </Button>
    </Dialog>
  );
}

function lastSeen(): string | null {
  try {
    return localStorage.getItem(storageKeys.congratulated);
  } catch {
    // If storage is forbidden, it appears at every visit.
    return null;
  }
}

function noteSeen(occasion: string): void {
  try {
    localStorage.setItem(storageKeys.congratulated, occasion);
  } catch {
    // If storage is full or forbidden, it appears again at the next visit.
  }
}
