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

/** Returns `2026-10` for `2026-10` and `October 2026`; undefined for anything else. There is no year 0. */
export function monthKey(text: string): string | undefined {
  const trimmed = text.trim();
  if (/^(?!0000)\d{4}-(0[1-9]|1[0-2])$/.test(trimmed)) return trimmed;
  const [, name = '', year] = /^([a-z]+) (?!0000)(\d{4})$/i.exec(trimmed) ?? [];
  const index = names.findIndex((known) => known.toLowerCase() === name.toLowerCase());
  return index < 0 ? undefined : `${year}-${String(index + 1).padStart(2, '0')}`;
}

/** `October 2026` for `2026-10` (specification §3: long month name and numeric year). */
export function monthLabel(month: string): string {
  return `${names[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;
}

/** `October` for `2026-10`. */
export const monthName = (month: string): string => names[Number(month.slice(5)) - 1] ?? month;
