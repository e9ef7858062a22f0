import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import { type ProposedAct, proposalDays, proposalsAtMost } from '#contract/proposals.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { countWaiting, type Waiting } from '#server/platform/database/waiting.ts';

/*
 * What operators propose for a second one, as it is stored. What an answer does is in `server/features/operators/proposals.ts`; payments and
 * appeals depend on what was proposed.
 */
const day = 24 * 60 * 60 * 1000;
/** What was proposed later is open until it is answered. */
export const openSince = (now: Date) => new Date(now.getTime() - proposalDays * day);

export async function insert(trx: Transaction<Tables>, row: Insertable<Tables['proposals']>): Promise<void> {
  await trx.insertInto('proposals').values(row).execute();
}

/** Those without an answer that were made after `since`, the oldest first. */
export function listOpen(db: Kysely<Tables>, acts: readonly ProposedAct[], since: Date) {
  return db
    .selectFrom('proposals')
    .innerJoin('people as concerned', 'concerned.id', 'person_id')
    .innerJoin('people as proposer', 'proposer.id', 'proposed_by')
    .selectAll('proposals')
    .select(['concerned.username', 'proposer.username as proposer'])
    .where('answer', 'is', null)
    .where('proposed_at', '>', since)
    .where('act', 'in', acts)
    .orderBy('proposed_at')
    .orderBy('proposals.id')
    .limit(proposalsAtMost)
    .execute();
}

/** The open proposal of the same, if there is one. */
export function findOpen(
  trx: Transaction<Tables>,
  { act, personId, said }: { act: ProposedAct; personId: string; said: object },
  since: Date,
) {
  return trx
    .selectFrom('proposals')
    .select('id')
    .where('act', '=', act)
    .where('person_id', '=', personId)
    .where('answer', 'is', null)
    .where('proposed_at', '>', since)
    .where(sql<boolean>`said - 'reason' - 'rule' = ${JSON.stringify(said)}::jsonb - 'reason' - 'rule'`)
    .executeTakeFirst();
}

/** Those of these creators whose views an operator proposes to be void: nothing is paid to them until a second one answers. */
export async function listProposedVoids(
  db: Kysely<Tables>,
  creatorIds: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('proposals')
    .select('person_id')
    .where('act', '=', 'void')
    .where('answer', 'is', null)
    .where('proposed_at', '>', openSince(now))
    .where(sql<boolean>`person_id = any(${creatorIds}::uuid[])`)
    .execute();
  return new Set(rows.map(({ person_id: id }) => id));
}

/** Who proposed the suspension without an end that this operator approved, if another one did. */
export async function findProposer(
  db: Kysely<Tables>,
  { personId, approvedBy, at }: { personId: string; approvedBy: string; at: Date },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('proposals')
    .select('proposed_by')
    .where('act', '=', 'suspend')
    .where('answer', '=', 'approved')
    .where('person_id', '=', personId)
    .where('answered_by', '=', approvedBy)
    .where('proposed_at', '<=', at)
    .orderBy('proposed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.proposed_by;
}

export function lock(trx: Transaction<Tables>, id: string) {
  return trx.selectFrom('proposals').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

export async function answer(
  trx: Transaction<Tables>,
  id: string,
  answered: { answer: 'approved' | 'declined'; answered_by: string },
): Promise<void> {
  await trx.updateTable('proposals').set(answered).where('id', '=', id).execute();
}

export const countOpen = (db: Kysely<Tables>, act: ProposedAct, since: Date): Promise<Waiting> =>
  countWaiting(
    db,
    sql`select proposed_at as at from proposals where answer is null and proposed_at > ${since} and act = ${act}`,
  );

/** Deletes what was made before. */
export async function deleteOld(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom('proposals').where('proposed_at', '<', before).execute();
}
