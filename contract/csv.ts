/** What stands at the beginning of a cell that a spreadsheet would run, however wide the sign is written. */
const runs = /^\s*[=+\-@\t\r\n＝＋－＠]/;

/**
 * A table as CSV (RFC 4180): every text in quotes, and what would run as a formula made plain text by an apostrophe.
 * Numbers are ours and stand as they are.
 */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const plain = runs.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
