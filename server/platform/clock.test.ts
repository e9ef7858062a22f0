import { describe, expect, it } from 'vitest';
import { monthOf } from './clock.ts';

describe('a month is a calendar month of the business time zone (decisions §4)', () => {
  it.each([
    ['2026-10-31T18:29:59.999Z', 'Asia/Kolkata', '2026-10'],
    ['2026-10-31T18:30:00.000Z', 'Asia/Kolkata', '2026-11'],
    ['2026-12-31T18:30:00.000Z', 'Asia/Kolkata', '2027-01'],
    ['2026-10-31T18:30:00.000Z', 'UTC', '2026-10'],
    ['2024-02-29T23:59:59.999Z', 'UTC', '2024-02'],
  ])('%s in %s is %s', (moment, zone, month) => {
    expect(monthOf(new Date(moment), zone)).toBe(month);
  });
});
