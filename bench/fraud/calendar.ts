/** The judged month, and when it and the one before it begin. Months are of India. */
export const month = '2026-11';
export const monthBegin = Date.parse('2026-11-01T00:00:00+05:30');
export const earlierBegin = Date.parse('2026-10-01T00:00:00+05:30');
export const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
