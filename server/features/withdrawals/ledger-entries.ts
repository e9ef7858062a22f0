import { csvOf } from '#contract/csv.ts';
import { rupeesOf } from '#contract/earning-rules.ts';
import type { OutgoingFile } from '#contract/endpoint.ts';
import type { Page } from '#contract/fields.ts';
import { exportedAtMost, type LedgerEntry, shownOfWithdrawal } from '#contract/ledger-entries.ts';
import { monthKey } from '#contract/month.ts';
import type { Context } from '#server/platform/context.ts';
import { type Cursor, pageOf, readCursor } from '#server/platform/cursor.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import * as queries from './ledger.queries.ts';

/** Which entries: all by default. */
interface Asked {
  /** The creator. */
  creatorId?: string | undefined;
  step?: LedgerEntry['step'] | undefined;
  /** In which they were posted, as in a request. */
  month?: string | undefined;
}

const filtersOf = ({ month, ...asked }: Asked, { timeZone }: Context<'config'>['config']) => ({
  ...asked,
  ...(month === undefined ? {} : { month: monthKey(month) }),
  timeZone,
});

const positionOf = (row: queries.EntryRow): Cursor => ({ at: row.posted_at, id: row.id });

/** Entries of the ledger, newest first. */
export async function listLedger(
  { db, config }: Context<'db' | 'config'>,
  { limit, cursor, ...asked }: Page & Asked,
): Promise<{ data: LedgerEntry[]; nextCursor: string | null }> {
  const page = { limit: limit + 1, after: readCursor(cursor) };
  const rows = await queries.listEntries(db, filtersOf(asked, config), page);
  return pageOf(rows, limit, positionOf, asEntry);
}

/** One entry, and all entries of its withdrawal, oldest first. */
export async function showLedgerEntry(
  { db }: Context<'db'>,
  id: string,
): Promise<LedgerEntry & { all: LedgerEntry[] }> {
  const all = (await queries.listOfSameWithdrawal(db, id, shownOfWithdrawal)).map(asEntry);
  const entry = all.find(({ _id }) => _id === id);
  if (!entry) throw notFound('gone');
  return { ...entry, all };
}

/** Entries of a financial year as CSV, oldest first. Refuses more than `atMost`, before the file begins. */
export async function exportLedger(
  { db, config }: Context<'db' | 'config'>,
  { year, ...asked }: Asked & { year: number },
  atMost = exportedAtMost,
): Promise<OutgoingFile> {
  const filters = { ...filtersOf(asked, config), year };
  if (await queries.hasMoreEntries(db, filters, atMost))
    throw new Refusal('invalid_input', { what: 'export_many', most: atMost }, 'year');
  const read = (limit: number, after: Cursor | undefined) =>
    queries.listEntries(db, filters, { limit, after, isOldestFirst: true });
  return { name: `ledger-${year}.csv`, bytes: asCsv(read) };
}

const columns = [
  ...(['postedAt', 'step', 'debit', 'credit', 'rupees', 'month', 'username', 'userId'] as const),
  ...(['withdrawalId', 'attempt', 'postedBy', '_id'] as const),
];
const rowsAtOnce = 1000;

/** Rows are read when those before are sent, so that a slow client holds a page of them. */
async function* asCsv(
  read: (limit: number, after: Cursor | undefined) => Promise<queries.EntryRow[]>,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(csvOf([columns]));
  let rows: queries.EntryRow[] = [];
  do {
    const last = rows.at(-1);
    rows = await read(rowsAtOnce, last && positionOf(last));
    const cells = rows.map((row) => {
      const entry = { ...asEntry(row), rupees: rupeesOf(row.paise) };
      return columns.map((column) => entry[column]);
    });
    yield Buffer.from(csvOf(cells));
  } while (rows.length === rowsAtOnce);
}

function asEntry(row: queries.EntryRow): LedgerEntry {
  const { step, attempt, debit, credit, paise, month } = row;
  return {
    _id: row.id,
    ...{ step, attempt, debit, credit, paise, month },
    postedAt: row.posted_at.toISOString(),
    postedBy: row.posted_by,
    withdrawalId: row.withdrawal_id,
    userId: row.creator_id,
    username: row.username ?? '',
  };
}
