import { z } from 'zod';

const names = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** `2026-10` for `2026-10` and for `October 2026`; undefined for what is no month: no calendar has a year 0. */
export function monthKey(text: string): string | undefined {
  const trimmed = text.trim();
  if (/^(?!0000)\d{4}-(0[1-9]|1[0-2])$/.test(trimmed)) return trimmed;
  const [, name = '', year] = /^([a-z]+) (?!0000)(\d{4})$/i.exec(trimmed) ?? [];
  const index = names.findIndex((one) => one.toLowerCase() === name.toLowerCase());
  return index < 0 ? undefined : `${year}-${String(index + 1).padStart(2, '0')}`;
}

/** `October 2026` for `2026-10` (specification §3: long month name and numeric year). */
export function monthLabel(month: string): string {
  return `${names[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;
}

/** A month as a client sends it: `2026-10`, or the label that a history record carries. */
export const monthField = z
  .string({ error: 'Please say which month, as YYYY-MM.' })
  .max(40, { error: 'This is not a month; write it as YYYY-MM.' })
  .refine((text) => monthKey(text) !== undefined, {
    error: 'This is not a month; write it as YYYY-MM.',
  });
