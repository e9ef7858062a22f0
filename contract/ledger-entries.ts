import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { id, monthField, nextCursor, page, text, time } from './fields.ts';
import { financialYearField } from './financial-year.ts';
import type { LedgerStep } from './ledger.ts';

const tag = 'Operators';

export const ledgerSteps = [
  'requested',
  'completed',
  'rejected',
  'returned',
] as const satisfies readonly LedgerStep[];
const ledgerAccount = z.enum(['earnings_expense', 'creator_payable', 'payouts']);

/** At most so many entries are exported at once: more rows than that no spreadsheet opens. */
export const exportedAtMost = 1_000_000;

/** A step of a withdrawal: one amount that is debited to one account and credited to another one. */
export const ledgerEntry = z.object({
  _id: id,
  step: z.enum(ledgerSteps),
  /** Number of the payment at that time; 0 before the first. */
  attempt: z.int(),
  debit: ledgerAccount,
  credit: ledgerAccount,
  paise: z.int(),
  postedAt: time,
  /** The operator's username; null for the creator, the payer or the server. */
  postedBy: z.string().nullable(),
  withdrawalId: id,
  /** Of the withdrawal, `2026-10`. */
  month: z.string(),
  userId: id,
  /** Empty if the account was deleted. */
  username: z.string(),
});
export type LedgerEntry = z.infer<typeof ledgerEntry>;

const filters = z.object({
  about: text(100).optional().describe('Whose: a username or an id'),
  step: z.enum(ledgerSteps).optional(),
  month: monthField.optional().describe('In which it was posted'),
});

export const listLedger = endpoint({
  method: 'GET',
  path: '/api/operator/ledger/entries',
  summary: 'Entries of the ledger, newest first; by person, step and the month in which they were posted',
  tag,
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 600 },
  query: page.extend(filters.shape),
  response: ok({ data: z.array(ledgerEntry), nextCursor }),
  errors: ['bad_cursor', 'not_found'],
});

/** How many entries of a withdrawal are shown at most; it has two, and two more for each payment that came back. */
export const shownOfWithdrawal = 100;

export const showLedgerEntry = endpoint({
  method: 'GET',
  path: '/api/operator/ledger/entries/:id',
  summary: 'One entry of the ledger, and all entries of the same withdrawal, oldest first',
  tag,
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 600 },
  params: z.object({ id }),
  response: ok({ data: ledgerEntry.extend({ all: z.array(ledgerEntry) }) }),
  errors: ['not_found'],
});
export type LedgerEntryCase = z.output<typeof showLedgerEntry.response>['data'];

export const exportLedger = endpoint({
  method: 'GET',
  path: '/api/operator/ledger/export/:year',
  summary: `Entries of the ledger that were posted in the financial year that begins in April of this year, oldest first, as CSV; at most ${exportedAtMost.toLocaleString('en')}`,
  tag,
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 20 },
  seconds: 10 * 60,
  params: z.object({ year: financialYearField }),
  query: filters,
  response: { mediaType: 'text/csv' },
  errors: ['not_found'],
});
