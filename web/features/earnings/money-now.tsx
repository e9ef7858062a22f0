import { CalendarClock, Landmark, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { rates } from '#contract/earning-rules.ts';
import type { Withdrawal } from '#contract/earnings.ts';
import type { MaskedDestination } from '#contract/payouts.ts';
import { useText } from '#web/text.tsx';
import { Button, buttonLook } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { DestinationLine } from '../payouts/destination-line.tsx';
import { asDate } from './earnings.ts';
import { buttonIdOf } from './month-action.tsx';
import { type NextMoney, usualDays } from './next-money.ts';

interface MoneyNowProps {
  money: NextMoney;
  withdrawals: readonly Withdrawal[];
  /** `undefined` if it failed to load. */
  destination: MaskedDestination | null | undefined;
}

/** The top card: one amount, where it goes, usually when, and what to do. */
export function MoneyNow({ money, withdrawals, destination }: MoneyNowProps) {
  const text = useText();
  return (
    <Card label={useLabel(money)} amount={text('money', { rupees: money.paise / 100 })}>
      <Why money={money} />
      {destination !== undefined && (
        <Line Icon={Landmark}>
          <DestinationLine destination={destination} />
        </Line>
      )}
      <Line Icon={CalendarClock}>
        <When withdrawals={withdrawals} destination={destination} />
      </Line>
      <Action money={money} />
    </Card>
  );
}

/** While the history loads, and if that failed. */
export function MoneyUnknown({ loading }: { loading: boolean }) {
  const text = useText();
  return (
    <Card
      label={text('balance.available')}
      amount={loading ? <Skeleton className="h-12 w-40 opacity-30" /> : '—'}
    >
      {loading && (
        <>
          <Skeleton className="h-5 w-3/4 opacity-30" />
          <Skeleton className="h-5 w-full opacity-30" />
          <Skeleton className="h-11 w-full rounded-control opacity-30" />
        </>
      )}
    </Card>
  );
}

interface CardProps {
  label: string;
  amount: ReactNode;
  children: ReactNode;
}

/** Dark in both themes. */
function Card({ label, amount, children }: CardProps) {
  const text = useText();
  return (
    <section
      aria-label={text('balance.title')}
      className="dark on-night mt-5 overflow-hidden rounded-panel border border-line text-text shadow-raised"
    >
      <div className="coin-night px-5 pb-5 pt-4">
        <h2 className="text-lg font-semibold text-soft">{label}</h2>
        <div className="figures mt-2 text-5xl font-bold leading-none">{amount}</div>
      </div>
      <div className="grid gap-3 border-t border-white/15 bg-night px-5 pb-5 pt-4 empty:hidden">
        {children}
      </div>
    </section>
  );
}

function Line({ Icon, children }: { Icon: LucideIcon; children: ReactNode }) {
  return (
    <div className="flex gap-2.5">
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent-text" />
      {children}
    </div>
  );
}

function useLabel(money: NextMoney): string {
  const text = useText();
  if (money.kind === 'pending') return text('balance.pending');
  if (money.kind !== 'month') return text('balance.available');
  const { monthKey, state } = money.record;
  return text(state === 'current' ? 'money.soFar' : 'month', { month: asDate(monthKey) });
}

/** Why it cannot be withdrawn, and what to do. */
function Why({ money }: { money: NextMoney }) {
  const text = useText();
  if (money.kind === 'available') return null;
  if (money.kind === 'none') return <p>{text('dashboard.nothing', { coins: rates.coinsPerReel })}</p>;
  if (money.kind === 'pending')
    return (
      <p>
        {text(`money.${money.payout}`)}{' '}
        {money.payout === 'waiting_for_address' && (
          <Link to="/Settings" className="text-link">
            {text('payout.verify')}
          </Link>
        )}
      </p>
    );
  const values = { month: asDate(money.record.monthKey), least: rates.minimumWithdrawalPaise / 100 };
  if (money.record.state === 'counting') return <p>{text('history.counting', values)}</p>;
  if (money.record.state === 'too_little') return <p>{text('history.tooLittle', values)}</p>;
  const { paise, payablePaise } = money.record;
  return (
    <>
      <p>{text(isTooLittle(money) ? 'money.smallMonth' : 'money.openMonth', values)}</p>
      {payablePaise > paise && <p>{text('money.carried', { rupees: (payablePaise - paise) / 100 })}</p>}
    </>
  );
}

const isTooLittle = ({ paise }: NextMoney) => paise < rates.minimumWithdrawalPaise;

/** When it is paid, as far as anybody knows. */
function When({ withdrawals, destination }: Pick<MoneyNowProps, 'withdrawals' | 'destination'>) {
  const text = useText();
  if (destination === null) return <p>{text('money.whenAdded')}</p>;
  if (destination?.nameNotTaken) return <p>{text('payout.nameNotTaken')}</p>;
  if (destination?.heldUntil) return <p>{text('payout.held', { date: new Date(destination.heldUntil) })}</p>;
  const usual = usualDays(withdrawals);
  return <p>{usual ? text('money.usually', usual) : text('money.reviewed')}</p>;
}

/** Leads to the oldest month that can be requested; while nothing can be, and more is needed, to what earns it. */
function Action({ money }: { money: NextMoney }) {
  const text = useText();
  if (money.kind === 'available') {
    const { monthKey } = money.oldest;
    return (
      <Button kind="primary" className="mt-1" onClick={() => leadTo(buttonIdOf(monthKey))}>
        {text('money.lead', { month: asDate(monthKey) })}
      </Button>
    );
  }
  const isEarned = money.kind === 'pending' || (money.kind === 'month' && money.record.state === 'counting');
  if (isEarned || !isTooLittle(money)) return null;
  return (
    <Link to="/ReelPost" className={buttonLook('primary', 'mt-1')}>
      {text('home.empty.action')}
    </Link>
  );
}

function leadTo(id: string): void {
  const button = document.getElementById(id);
  // The focus alone would jump there.
  button?.focus({ preventScroll: true });
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  button?.scrollIntoView({ block: 'center', behavior: still ? 'instant' : 'smooth' });
}
