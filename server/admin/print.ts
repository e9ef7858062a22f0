/**
 * Control characters that a terminal could obey, and marks that change the direction of a line: the text is written by
 * people.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
const obeyed = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

export type Cell = string | number | null;

/** Rows under their headings, in columns; texts of people on one line each, without control characters. */
export function asTable(headings: string[], rows: Cell[][]): string {
  if (rows.length === 0) return 'None.\n';
  const lines = [headings, ...rows].map((row) => row.map(onOneLine));
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

const onOneLine = (cell: Cell) =>
  String(cell ?? '')
    .replace(obeyed, ' ')
    .trim();
