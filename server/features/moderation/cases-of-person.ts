import type { Transaction } from 'kysely';
import { type PersonCase, shownCases } from '#contract/person-case.ts';
import { countedTo } from '#contract/today.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Operator } from '../audit-log/audit-log.ts';
import { seesChildren } from '../people/child-safety.ts';
import { countVersions } from '../versions/versions.ts';
import * as queries from './cases.queries.ts';
import { asListed, closeCase } from './cases.ts';

/** The cases about a person, and those that they have reported. An operator does not read who has reported their own works. */
export async function casesOfPerson(
  { db, clock }: Context<'db' | 'clock'>,
  operatorId: string | null,
  personId: string,
): Promise<{ [Side in 'about' | 'reported']: NonNullable<PersonCase[Side]> }> {
  const reader = { operatorId, seesChildren: await seesChildren(db, operatorId) };
  const now = clock();
  const [about, reported, counts, dismissible] = await Promise.all([
    queries.listCasesAbout(db, personId, reader, shownCases),
    queries.listCasesBy(db, personId, reader, shownCases),
    queries.countCasesOf(db, personId, reader, countedTo + 1),
    queries.listDismissible(db, personId, { operatorId, now }, countedTo + 1),
  ]);
  const edits = await countVersions(
    db,
    [...about, ...reported].map((row) => row.target_id),
  );
  const list = (rows: readonly queries.CaseRow[]) =>
    rows.map((row) => asListed(row, { ...reader, now, edits }));
  return {
    about: { count: counts.about, cases: list(about) },
    reported: { count: counts.reported, cases: list(reported), dismissible: dismissible.length },
  };
}

/**
 * Dismisses the open cases that only this person has reported, and returns their number. Cases that another transaction is changing at the
 * same time (a new report, a claim, a decision) are skipped.
 */
export async function dismissCasesBy(
  trx: Transaction<Tables>,
  operator: Operator,
  { personId, reason }: { personId: string; reason: string },
  now: Date,
): Promise<number> {
  const which = { operatorId: operator.id, now };
  const list = () => queries.listDismissible(trx, personId, which, countedTo);
  const free = await queries.lockFree(trx, await list());
  // Again: some may have changed before they were locked.
  const ids = (await list()).filter((id) => free.includes(id));
  for (const id of ids) await closeCase({ db: trx, clock: () => now }, operator, { id, reason });
  return ids.length;
}
