import { describe, expect, it } from 'vitest';
import { month, withdrawal } from '#testing/page/things.ts';
import { nextMoneyOf, usualDays } from './next-money.ts';

const balance = { availablePaise: 0, pendingPaise: 0, paidPaise: 0 };
const nothing = { months: [], statuses: {}, withdrawals: [], balance };

describe('the amount that Earning History begins with', () => {
  it('leads past a month that was requested since the history was read', () => {
    const months = [month('2026-10', 110), month('2026-09', 120)];
    const money = nextMoneyOf({ ...nothing, months, statuses: { '2026-09': 'pending' } });
    expect(money).toMatchObject({ kind: 'available', oldest: { monthKey: '2026-10' } });
  });

  it('says of several withdrawals what needs the creator, then what is furthest from being paid', () => {
    const [sent, checked, failed] = (['sent', 'in_review', 'failed'] as const).map((payout, place) =>
      withdrawal(`2026-0${place + 1}`, { payout }),
    );
    const payoutOf = (...withdrawals: (typeof sent)[]) =>
      nextMoneyOf({ ...nothing, withdrawals: withdrawals.filter((one) => one !== undefined) });
    expect(payoutOf(sent, checked, failed)).toMatchObject({ payout: 'failed' });
    expect(payoutOf(sent, checked)).toMatchObject({ payout: 'in_review' });
    expect(payoutOf(sent)).toMatchObject({ payout: 'sent' });
  });

  it('is of a month that is being counted before the current one, and of that before one under the minimum', () => {
    const [small, counting, current] = (['too_little', 'counting', 'current'] as const).map((state, place) =>
      month(`2026-0${place + 1}`, place + 1, { state, withdrawable: false }),
    );
    const paiseOf = (...months: (typeof small)[]) =>
      nextMoneyOf({ ...nothing, months: months.filter((one) => one !== undefined) }).paise;
    expect(paiseOf(current, counting, small)).toBe(2);
    expect(paiseOf(current, small)).toBe(3);
    expect(paiseOf(small)).toBe(1);
    expect(paiseOf()).toBe(0);
  });

  it('is none that was paid or rejected', () => {
    const withdrawals = [
      withdrawal('2026-02', { status: 'completed', payout: 'paid' }),
      withdrawal('2026-01', { status: 'rejected', payout: 'rejected' }),
    ];
    expect(nextMoneyOf({ ...nothing, withdrawals }).kind).toBe('none');
  });
});

describe('the usual days until a payment', () => {
  const paidAfter = (hours: number) =>
    withdrawal('2026-01', {
      status: 'completed',
      readyAt: '2026-02-01T00:00:00Z',
      decidedAt: new Date(Date.UTC(2026, 1, 1, hours)).toISOString(),
    });

  it('are those within which most were paid', () => {
    expect(usualDays([900, 30, 1].map(paidAfter))).toEqual({ days: 2, count: 3 });
    expect(usualDays([900, 49, 30, 1].map(paidAfter))).toEqual({ days: 3, count: 4 });
    expect(usualDays([1, 1, 1].map(paidAfter))).toEqual({ days: 1, count: 3 });
  });

  it('are unknown with fewer than three payments whose wait is known', () => {
    expect(usualDays([1, 2].map(paidAfter))).toBeUndefined();
    const old = { ...paidAfter(1), readyAt: null };
    expect(usualDays([paidAfter(1), paidAfter(1), old, withdrawal('2026-02')])).toBeUndefined();
  });
});
