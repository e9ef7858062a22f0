import { rulesOf } from '#contract/rates.ts';

/** The judged month, the one before it, and when they begin. Months are of India. */
export const [month, earlier] = ['2026-11', '2026-10'];
export const monthBegin = Date.parse('2026-11-01T00:00:00+05:30');
export const earlierBegin = Date.parse('2026-10-01T00:00:00+05:30');
/** The rules of the judged month. */
export const rules = rulesOf(month);
export const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
