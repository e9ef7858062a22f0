import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { payerFields } from '#contract/payout-file.ts';
import { readConfig } from '#server/config.ts';
import { filePayer, readAnswers } from './file.ts';
import type { Payment } from './payer.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jhalak-template-'));
});
afterAll(() => rm(folder, { recursive: true }));

const template = async (text: string) => {
  const path = join(folder, 'template.csv');
  await writeFile(path, text);
  return readConfig({ PAYOUT_FILE_TEMPLATE: path }).payouts.columns;
};
const payment = (values: Partial<Payment>): Payment => ({
  ...(Object.fromEntries(payerFields.map((field) => [field, ''])) as Payment),
  ...values,
});

it('a template sets the headings and cells of the file, with text around the values', async () => {
  const columns = await template(
    '\ufeffTo,"Amount, INR",Remark,Type\r\n{vpa}{account},{rupees},{id},"NEFT, {ifsc}"\r\n',
  );
  const file = filePayer(columns).fileOf([
    payment({ id: '1', rupees: '1.00', vpa: 'asha@okaxis' }),
    payment({ id: '2', rupees: '2.50', account: '000123456789', ifsc: 'HDFC0001234' }),
  ]);
  expect(file).toBe(
    '"To","Amount, INR","Remark","Type"\r\n"asha@okaxis","1.00","1",""\r\n"000123456789","2.50","2","NEFT, HDFC0001234"\r\n',
  );
});

it.each([
  [
    'a field that is none',
    'To\n{vpa}{id}{pan}\n',
    /PAYOUT_FILE_TEMPLATE cannot be used: \{pan\} is none of \{id\}, /,
  ],
  ['no id', 'To\n{vpa}\n', /one cell has to be \{id\}/],
  ['one line', 'To,Amount\n', /a template has two lines/],
  [
    'lines of different lengths',
    'To,Amount\n{id}\n',
    /PAYOUT_FILE_TEMPLATE cannot be used: Invalid Record Length/,
  ],
])('a template with %s is refused at start', async (_what, text, sentence) => {
  await expect(template(text)).rejects.toThrow(sentence);
});

it('a missing template is refused at start', () => {
  expect(() => readConfig({ PAYOUT_FILE_TEMPLATE: join(folder, 'none.csv') })).toThrow(/ENOENT/);
});

it('a result file is read by its headings, in any order and case', () => {
  const text = '\ufeffReference ,STATE,Id\r\n"UTR ""1""",paid,7\r\n\r\n,failed,8\r\n';
  expect(readAnswers(Buffer.from(text))).toEqual([
    { reference: 'UTR "1"', state: 'paid', id: '7' },
    { state: 'failed', id: '8' },
  ]);
});
