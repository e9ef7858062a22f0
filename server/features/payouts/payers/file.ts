import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { csvOf } from '#contract/csv.ts';
import { type PayerField, payerFields } from '#contract/payout-file.ts';
import type { FilePayer, Payment } from './payer.ts';

/** A column of the file: its heading, and its cells, in which `{field}` stands for a value. */
export interface FileColumn {
  heading: string;
  cell: string;
}

const placeholder = /\{(\w+)\}/g;

/** An account number begins with an apostrophe: a spreadsheet would round it, and drop its zeros in front. */
const defaultColumns: readonly FileColumn[] = payerFields.map((field) => ({
  heading: field,
  cell: field === 'account' ? "'{account}" : `{${field}}`,
}));

/** Reads the columns from a CSV of two lines: the headings, and the cells. Throws an error with one sentence. */
export function readTemplate(path: string): readonly FileColumn[] {
  const rows: string[][] = parse(readFileSync(path), { bom: true, skip_empty_lines: true });
  const [headings, cells] = rows;
  if (!headings || !cells || rows.length !== 2)
    throw new Error('a template has two lines, the headings and the cells');
  const unknown = cells
    .flatMap((cell) => [...cell.matchAll(placeholder)].map(([, name = '']) => name))
    .find((name) => !(payerFields as readonly string[]).includes(name));
  if (unknown) throw new Error(`{${unknown}} is none of ${payerFields.map((one) => `{${one}}`).join(', ')}`);
  if (!cells.includes('{id}'))
    throw new Error('one cell has to be {id}, by which the payer says what was paid');
  return headings.map((heading, place) => ({ heading, cell: cells[place] ?? '' }));
}

/** A file that an operator takes to whoever pays, such as the form for many transfers of a bank. */
export const filePayer = (columns: readonly FileColumn[] = defaultColumns): FilePayer => ({
  name: 'file',
  given: 'exported',
  // What the bank makes of it, people see who take the file there.
  takesName: () => true,
  fileOf: (payments) =>
    csvOf([
      columns.map(({ heading }) => heading),
      ...payments.map((payment) => columns.map(({ cell }) => cellOf(cell, payment))),
    ]),
});

/** Empty where all of its values are. */
function cellOf(template: string, payment: Payment): string {
  const fields = [...template.matchAll(placeholder)].map(([, name]) => name as PayerField);
  if (fields.length > 0 && fields.every((field) => payment[field] === '')) return '';
  return template.replaceAll(placeholder, (_, name: string) => payment[name as PayerField]);
}

/** The rows of what a payer says: one object each, by the headings, without the cells that are empty. */
export function readAnswers(text: Buffer): Record<string, string>[] {
  const rows: Record<string, string>[] = parse(text, {
    bom: true,
    columns: (headings: string[]) => headings.map((one) => one.trim().toLowerCase()),
    skip_empty_lines: true,
    trim: true,
  });
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '')));
}
