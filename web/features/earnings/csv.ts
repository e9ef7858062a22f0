/** What stands at the beginning of a cell that a spreadsheet would run, however wide the sign is written. */
const runs = /^\s*[=+\-@\t\r\n＝＋－＠]/;

/**
 * A table as CSV (RFC 4180) that any spreadsheet opens as it is meant: UTF-8 said by its mark, every text in quotes, and
 * what would run as a formula made plain text by an apostrophe. Numbers are ours and stand as they are.
 */
export function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const plain = runs.test(value) ? `'${value}` : value;
  return `"${plain.replaceAll('"', '""')}"`;
}
