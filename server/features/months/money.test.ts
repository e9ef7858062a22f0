import { expect, it } from 'vitest';
import { rates } from '#contract/earning-rules.ts';
import { type AdjustmentRow, moneyOf, nothing, resultOf } from './money.ts';

/** A counted month with this many paid reels. */
const monthWith = (month: string, reels: number) => ({
  month,
  isCounted: true,
  result: resultOf({ ...nothing, reels, accounts: 0, accountViews: 0 }),
});

/** A decision that lets these coins count in a month. */
const counting = (countsIn: string, kind: AdjustmentRow['kind'], coins: number): AdjustmentRow => ({
  ...{ id: '', creator_id: '', month: '2026-01', counts_in: countsIn, kind, work_id: null },
  ...{ views: 0, coins, reason: '', at: new Date(0), by: null },
});

const each = rates.coinsPerReel;

it('takes void coins back from the month in which they count, and what it does not have from the next ones', () => {
  const months = [monthWith('2026-04', 1), monthWith('2026-02', 1), monthWith('2026-03', 1)];
  const money = moneyOf(months, [counting('2026-03', 'void_paid', -each - 2)]);
  const columns = [...money.values()].map(({ month, coins, takenBack, missing }) => [
    month,
    coins,
    takenBack,
    missing,
  ]);
  expect(columns).toEqual([
    ['2026-02', each, 0, 0],
    ['2026-03', 0, each, 2],
    ['2026-04', each - 2, 2, 0],
  ]);
});

it('takes coins back from the next month with activity if the one in which they count has none', () => {
  const money = moneyOf(
    [monthWith('2026-02', 1), monthWith('2026-05', 1)],
    [counting('2026-03', 'void_waiting', -3)],
  );
  expect(money.get('2026-02')).toMatchObject({ coins: each, takenBack: 0 });
  expect(money.get('2026-05')).toMatchObject({ coins: each - 3, takenBack: 3 });
});

it('lets released coins count in the month of the decision, which may then be carried unless all are taken back', () => {
  const released = counting('2026-02', 'released', 4);
  expect(moneyOf([monthWith('2026-02', 0)], [released]).get('2026-02')).toMatchObject({
    coins: 4,
    released: 4,
    mayBeCarried: true,
  });
  const taken = counting('2026-02', 'void_waiting', -4);
  expect(moneyOf([monthWith('2026-02', 0)], [released, taken]).get('2026-02')).toMatchObject({
    coins: 0,
    mayBeCarried: false,
  });
});
