import { csvOf } from '#contract/csv.ts';
import type { getStatement } from '#contract/earnings.ts';
import type { Result } from '#contract/endpoint.ts';
import { owedBy } from '#contract/ledger.ts';
import type { MessageId } from '#web/messages/catalogues.ts';
import { asDate } from './earnings.ts';

export type Statement = Result<typeof getStatement>['data'];
type Text = (id: MessageId, values?: Record<string, unknown>) => string;

/**
 * A month's statement as CSV with a byte order mark, for spreadsheets. The coins of the five lines add up to the
 * total, and the amounts of the ledger add up to the balance that is listed with each of them.
 */
export function statementCsv(statement: Statement, text: Text): string {
  const { name, month, timeZone } = statement;
  type Cells = Partial<
    Record<'count' | 'rate' | 'coins' | 'earned' | 'amount' | 'balance' | 'date' | 'note', string | number>
  >;
  const row = (line: string, cells: Cells) => {
    const {
      count = '',
      rate = '',
      coins = '',
      earned = '',
      amount = '',
      balance = '',
      date = '',
      note = '',
    } = cells;
    return [name, month, line, count, rate, coins, earned, amount, balance, date, note];
  };
  const lines = statement.lines.map(({ kind, count, paid, coinsEach, perCoin, coins }) =>
    row(text(`lines.${kind}`), {
      count,
      coins,
      rate:
        coinsEach === null
          ? text('statement.csv.per', { per: perCoin })
          : text('statement.csv.each', { each: coinsEach }),
      note: paid < count ? text('lines.paid', { paid }) : '',
    }),
  );
  const decisions = statement.decisions.map((one) =>
    row(text(`decision.${one.act}`, { month: asDate(one.month) }), {
      count: one.views,
      date: sortable(one.decidedAt, timeZone),
      note: one.reason,
    }),
  );
  const total = { coins: statement.totalCoins, earned: statement.paise / 100 };
  const steps = statement.postings.map((posting) => {
    const { withdrawalId, step, paise, balancePaise, note, paidTo, postedAt } = posting;
    const of = statement.withdrawals.find(({ _id }) => _id === withdrawalId);
    const others = [of?.month ?? month, ...(of?.carried.map((one) => one.month) ?? [])];
    return row(text(`statement.${step}`), {
      // As numbers, since a text that begins with a minus would be escaped.
      amount: owedBy(step, paise) / 100,
      balance: balancePaise / 100,
      date: sortable(postedAt, timeZone),
      note:
        step === 'requested'
          ? others.filter((one) => one !== month).join(' ')
          : [note, paidTo].filter(Boolean).join(', '),
    });
  });
  const table = csvOf([
    [
      text('statement.csv.name'),
      text('statement.month'),
      text('statement.csv.line'),
      text('statement.csv.count'),
      text('statement.csv.rate'),
      text('lines.coins'),
      text('statement.csv.earned'),
      text('statement.csv.amount'),
      text('statement.csv.balance'),
      text('statement.csv.date', { timeZone }),
      text('statement.csv.note'),
    ],
    ...lines,
    ...decisions,
    row(text('lines.total'), total),
    ...(statement.unpaidCoins > 0
      ? [row(text('statement.csv.unpaid'), { count: statement.unpaidCoins })]
      : []),
    ...steps,
    ...statement.years.map(({ year, payments, paidPaise }) =>
      row(text('statement.csv.year', yearsOf(year)), { count: payments, note: paidPaise / 100 }),
    ),
  ]);
  return `\uFEFF${table}`;
}

/** The calendar years of a financial year, as text: a year has no thousands separator. */
export const yearsOf = (year: number) => ({ from: String(year), to: String(year + 1) });

/** A time in a form that spreadsheets read in every language: 2026-11-03 14:05. */
function sortable(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(
    new Date(at),
  );
}
