import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { getStatement } from '#contract/earnings.ts';
import { answerCalls } from '#testing/page/answers.ts';
import { linesOf } from '#testing/page/earnings.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { withdrawal, zoya } from '#testing/page/things.ts';
import { formats } from '#web/message-formats.ts';
import { i18nOf } from '#web/messages/catalogues.ts';
import { type Statement, statementCsv } from './statement-csv.ts';

const postedAt = '2026-11-03T06:30:00Z';
const [first, second] = [withdrawal('2026-10'), { ...withdrawal('2026-10'), _id: zoya._id }];

/** A month that was rejected once, and then paid. */
const paid: Statement = {
  ...{ userId: zoya._id, month: '2026-10', monthLabel: 'October 2026', name: '=HYPERLINK("x")' },
  ...{ totalCoins: 607, coinsPerRupee: 500, unpaidCoins: 2, paise: 121, rupees: '1.21' },
  ...{ state: 'completed', counted: true, missingCoins: 0, timeZone: 'Asia/Kolkata' },
  decisions: [
    {
      ...{ act: 'void', month: '2026-10', countsIn: '2026-10', views: 500, coins: 50 },
      ...{ reason: 'All from one script', decidedAt: postedAt },
    },
  ],
  lines: [
    ...linesOf(50, 0),
    { kind: 'released', count: 3570, paid: 3570, coinsEach: null, perCoin: 10, coins: 357, leftOver: 0 },
  ],
  withdrawals: [second, first],
  postings: [
    { withdrawalId: first._id, step: 'requested', balancePaise: 121, note: null, paidTo: null },
    {
      ...{ withdrawalId: first._id, step: 'rejected', balancePaise: 0, paidTo: null },
      note: 'Please check, "again"',
    },
    { withdrawalId: second._id, step: 'requested', balancePaise: 121, note: null, paidTo: null },
    {
      ...{ withdrawalId: second._id, step: 'completed', balancePaise: 0 },
      ...{ note: 'UTR 1', paidTo: 'HDFC Bank ••••6789' },
    },
  ].map((posting) => ({ ...posting, paise: 121, postedAt }) as Statement['postings'][number]),
  years: [{ year: 2026, payments: 1, paidPaise: 121 }],
  ...{ owedPaise: 0, paidPaise: 121, issuedAt: postedAt },
};

function open(statement: Statement) {
  answerCalls().on(getStatement, { data: statement });
  return showPage({
    page: () => import('#web/pages/earning-statement.tsx'),
    address: '/EarningHistory/2026-10/statement',
    pattern: '/EarningHistory/:month/statement',
    loaded: { month: '2026-10' },
    person: zoya,
  });
}

it('a statement adds up on the page, and says where the money went and what was decided', async () => {
  await open(paid);
  await screen.findByText('=HYPERLINK("x")');
  const earned = within(screen.getByRole('region', { name: 'What you earned' }));
  earned.getByText('₹1.21');
  earned.getByText('2 coins are less than one paisa, and count only when months are paid together.');
  earned.getByText(/^500 views of October 2026 are void: 50 coins are taken back/);
  earned.getByText('All from one script');
  const ledger = within(screen.getByRole('region', { name: 'Withdrawals' }));
  ledger.getByText('To HDFC Bank ••••6789');
  ledger.getByText('Reference UTR 1');
  const rows = ledger.getAllByRole('row').slice(1);
  expect(rows.map((row) => [...row.children].slice(1).map(({ textContent }) => textContent))).toEqual([
    ['₹1.21', '₹1.21'],
    ['-₹1.21', '₹0.00'],
    ['₹1.21', '₹1.21'],
    ['-₹1.21', '₹0.00'],
  ]);
  const years = screen.getByRole('region', { name: 'Paid by financial year' });
  expect(years.textContent).toContain('April 2026 – March 20271 payment₹1.21');
  screen.getByText('All dates and times are in India Standard Time.');
});

it.each([
  ['current', 'This month is not over. Its figures can still change.'],
  ['counting', 'We are counting October. It is ready in a few minutes.'],
] as const)('a statement of a month that is not counted says so: %s', async (state, sentence) => {
  await open({ ...paid, state, counted: false, withdrawals: [], postings: [], years: [] });
  await screen.findByText(sentence);
  screen.getByText('No withdrawals yet.');
});

it('the file of a statement adds up, and no spreadsheet reads a formula in it', async () => {
  // The page has loaded the texts.
  await open(paid);
  await screen.findByRole('button', { name: 'Download CSV' });
  const file = statementCsv(paid, (id, values) => i18nOf('en')._(id, values, { formats }));
  expect(file.startsWith('\uFEFF')).toBe(true);
  const [head = [], ...rows] = file
    .slice(1)
    .trimEnd()
    .split('\r\n')
    .map((row) => [...row.matchAll(/"((?:[^"]|"")*)"|[^,"]+/g)].map(([all, quoted]) => quoted ?? all));
  expect(rows.every((row) => row.length === head.length)).toBe(true);
  expect(rows.every(([name, of]) => name === `'=HYPERLINK(""x"")` && of === '2026-10')).toBe(true);
  const column = (row: string[], name: string) => Number(row[head.indexOf(name)]);
  const total = rows.findIndex(([, , line]) => line === 'Total');
  const sum = rows.slice(0, total).reduce((all, row) => all + column(row, 'Coins'), 0);
  expect(sum).toBe(607);
  expect(column(rows[total] ?? [], 'Coins')).toBe(607);
  expect(column(rows[total] ?? [], 'Earned (INR)')).toBe(1.21);
  const after = rows.slice(total + 2, -1);
  expect(after.map(([, , line]) => line)).toEqual(['Requested', 'Not paid', 'Requested', 'Paid']);
  expect(after.map((row) => column(row, 'Amount (INR)'))).toEqual([1.21, -1.21, 1.21, -1.21]);
  expect(after.map((row) => column(row, 'Pending (INR)'))).toEqual([1.21, 0, 1.21, 0]);
  expect(after.map((row) => row.at(-1))).toEqual([
    '',
    'Please check, ""again""',
    '',
    'UTR 1, HDFC Bank ••••6789',
  ]);
  // All months together are paid in a financial year.
  const [year = []] = rows.slice(-1);
  expect(year[2]).toBe('Paid from April 2026 to March 2027 (INR)');
  expect([column(year, 'Count'), column(year, 'Note')]).toEqual([1, 1.21]);
});
