import type { Transaction } from 'kysely';
import {
  type DifferenceKind,
  differencesAtMost,
  type StoredDifference,
} from '#contract/audit-differences.ts';
import type { Page } from '#contract/fields.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId } from '#server/platform/ids.ts';
import { notFound } from '#server/platform/refusal.ts';
import * as queries from './differences.queries.ts';

/** A recorded value that differs from the data it is derived from. */
export interface Difference {
  what: DifferenceKind;
  /** Id of the creator, reel, person, withdrawal or ledger account, depending on `what`. */
  id: string;
  /** YYYY-MM, if the difference concerns a month. */
  month: string | null;
  figure: string;
  recorded: string | number;
  derived: string | number;
}

/** Stores what an audit found in the place of what the one before found. What both found keeps its date. */
export async function storeDifferences(
  trx: Transaction<Tables>,
  differences: readonly Difference[],
  now: Date,
): Promise<void> {
  // One audit may name the same figure by two of its checks.
  const each = new Map(
    differences
      .slice(0, differencesAtMost)
      .map((one) => [[one.what, one.id, one.month, one.figure].join(' '), one]),
  );
  await queries.replaceAll(
    trx,
    [...each.values()].map(({ what, id: about, month, figure, recorded, derived }) => ({
      ...{ id: newId(now), what, about, month, figure, found_at: now },
      ...{ recorded: String(recorded), derived: String(derived) },
    })),
  );
}

/** What the last audit found, the newest first. */
export async function listDifferences(
  { db }: Context<'db'>,
  { what, limit, cursor }: Page & { what?: DifferenceKind | undefined },
): Promise<{ data: StoredDifference[]; nextCursor: string | null }> {
  const rows = await queries.list(db, what, limit + 1, readCursor(cursor));
  return pageOf(rows, limit, (row) => ({ at: row.found_at, id: row.id }), asDifference);
}

export async function showDifference({ db }: Context<'db'>, id: string): Promise<StoredDifference> {
  const row = await queries.find(db, id);
  if (!row) throw notFound('gone');
  return asDifference(row);
}

function asDifference(row: queries.DifferenceRow): StoredDifference {
  const { what, about, month, figure, recorded, derived } = row;
  return {
    _id: row.id,
    ...{ what, about, month, figure, recorded, derived },
    userId: row.person_id,
    username: row.username ?? '',
    foundAt: row.found_at.toISOString(),
  };
}
