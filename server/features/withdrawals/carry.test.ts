import { describe, expect, it } from 'vitest';
import { availableOf, carriedInto, combinedPaise, payableOf } from './carry.ts';

/** A month with these coins and a view. */
const seen = (month: string, coins: number) => ({ month, coins, mayBeCarried: true });
const free = () => false;

describe('months that are too small to be paid alone', () => {
  it('together are worth the sum of their coins, including fractions of a paisa', () => {
    // 4 coins are 0.8 paise.
    expect(combinedPaise([{ month: '2026-01', coins: 4 }])).toBe(0);
    const five = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05'];
    expect(combinedPaise(five.map((month) => ({ month, coins: 4 })))).toBe(4);
    expect(combinedPaise([])).toBe(0);
    expect(combinedPaise([{ month: '2026-01', coins: Number.MAX_SAFE_INTEGER }])).toBe(
      Math.floor(Number.MAX_SAFE_INTEGER / 5),
    );
  });

  it('reach a rupee together with a later one at exactly 500 coins', () => {
    const months = [seen('2026-03', 1), seen('2026-02', 250), seen('2026-01', 249)];
    expect(payableOf('2026-02', months, free)).toMatchObject({ paise: 99, isEnough: false });
    expect(payableOf('2026-03', months, free)).toEqual({
      coins: 1,
      carried: [
        { month: '2026-01', coins: 249 },
        { month: '2026-02', coins: 250 },
      ],
      paise: 100,
      isEnough: true,
    });
  });

  it('are not carried if they are large enough, already requested, later, without coins, or without a view', () => {
    const months = [
      seen('2026-01', 500),
      seen('2026-02', 499),
      seen('2026-03', 0),
      { month: '2026-04', coins: 9, mayBeCarried: false },
      seen('2026-05', 7),
      seen('2026-07', 8),
    ];
    expect(carriedInto('2026-06', months, (month) => month === '2026-02')).toEqual([
      { month: '2026-05', coins: 7 },
    ]);
    expect(payableOf('2026-06', months, free)).toMatchObject({ carried: [], paise: 0, isEnough: false });
  });

  it('can be requested once: the available amount counts each month once', () => {
    const months = [seen('2026-01', 300), seen('2026-02', 300), seen('2026-03', 300), seen('2026-04', 1000)];
    // April carries the three before it.
    expect(availableOf(months, free)).toBe(380);
    expect(availableOf(months, (month) => month === '2026-04')).toBe(180);
    expect(availableOf(months.slice(0, 1), free)).toBe(0);
  });
});
