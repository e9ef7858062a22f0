import { closed } from './text-direction.ts';

/** Beginnings of cells that spreadsheets run as formulas, including full-width characters. */
const formula = /^\s*[=+\-@\t\r\n＝＋－＠]/;

/**
 * A table as CSV (RFC 4180). Every text is quoted, and an apostrophe turns formulas into plain text. No text
 * changes the direction of the next ones. Numbers are trusted and written as they are.
 */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const text = closed(value ?? '');
  const plain = formula.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
