import { parse } from 'csv-parse/sync';
import { csvOf } from '#contract/csv.ts';
import { type PayerField, payerFields } from '#contract/payout-file.ts';
import { readSettingFile } from '#server/platform/setting-paths.ts';
import type { FilePayer, Payment } from './payer.ts';

/** A column of the file: its heading, and its cells, in which `{field}` is replaced by a value. */
export interface FileColumn {
  heading: string;
  cell: string;
}

const placeholder = /\{(\w+)\}/g;

/** An account number begins with an apostrophe: a spreadsheet would round it and remove leading zeros. */
const defaultColumns: readonly FileColumn[] = payerFields.map((field) => ({
  heading: field,
  cell: field === 'account' ? "'{account}" : `{${field}}`,
}));

/** Reads the columns from a CSV of two lines: the headings, and the cells. Throws an error of one sentence. */
export function readTemplate(path: string): readonly FileColumn[] {
  const rows: string[][] = parse(readSettingFile(path), { bom: true, skip_empty_lines: true });
  const [headings, cells] = rows;
  if (!headings || !cells || rows.length !== 2)
    throw new Error('a template has two lines, the headings and the cells');
  const unknown = cells
    .flatMap((cell) => [...cell.matchAll(placeholder)].map(([, name = '']) => name))
    .find((name) => !(payerFields as readonly string[]).includes(name));
  if (unknown)
    throw new Error(`{${unknown}} is none of ${payerFields.map((field) => `{${field}}`).join(', ')}`);
  if (!cells.includes('{id}'))
    throw new Error('one cell has to be {id}, by which the payer says what was paid');
  return headings.map((heading, index) => ({ heading, cell: cells[index] ?? '' }));
}

/** A file that an operator takes to the payer, such as a bank's form for bulk transfers. */
export const filePayer = (columns: readonly FileColumn[] = defaultColumns): FilePayer => ({
  name: 'file',
  given: 'exported',
  // Every name is accepted: the operator sees at the bank what it rejects.
  takesName: () => true,
  fileOf: (payments) =>
    csvOf([
      columns.map(({ heading }) => heading),
      ...payments.map((payment) => columns.map(({ cell }) => cellOf(cell, payment))),
    ]),
});

/** Empty if all of its values are empty. */
function cellOf(template: string, payment: Payment): string {
  const fields = [...template.matchAll(placeholder)].map(([, name]) => name as PayerField);
  if (fields.length > 0 && fields.every((field) => payment[field] === '')) return '';
  return template.replaceAll(placeholder, (_, name: string) => payment[name as PayerField]);
}

/** The rows of a payer's result file: one object each, with the headings as keys, without empty cells. */
export function readAnswers(text: Buffer): Record<string, string>[] {
  const rows: Record<string, string>[] = parse(text, {
    bom: true,
    columns: (headings: string[]) => headings.map((heading) => heading.trim().toLowerCase()),
    skip_empty_lines: true,
    trim: true,
  });
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '')));
}
