import { type CasesOf, shownCases } from '#contract/person-case.ts';
import { countedTo } from '#contract/today.ts';
import type { Context } from '#server/platform/context.ts';
import { seesChildren } from '../people/child-safety.ts';
import { countVersions } from '../versions/versions.ts';
import * as queries from './cases.queries.ts';
import { asListed } from './cases.ts';

/** The cases about a person, and those that they have reported. An operator does not read who has reported their own works. */
export async function casesOfPerson(
  { db, clock }: Context<'db' | 'clock'>,
  operatorId: string | null,
  personId: string,
): Promise<{ about: CasesOf; reported: CasesOf }> {
  const reader = { operatorId, seesChildren: await seesChildren(db, operatorId) };
  const [about, reported, counts] = await Promise.all([
    queries.listCasesAbout(db, personId, reader, shownCases),
    queries.listCasesBy(db, personId, reader, shownCases),
    queries.countCasesOf(db, personId, reader, countedTo + 1),
  ]);
  const edits = await countVersions(
    db,
    [...about, ...reported].map((row) => row.target_id),
  );
  const list = (rows: readonly queries.CaseRow[]) =>
    rows.map((row) => asListed(row, { ...reader, now: clock(), edits }));
  return {
    about: { count: counts.about, cases: list(about) },
    reported: { count: counts.reported, cases: list(reported) },
  };
}
