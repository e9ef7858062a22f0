import type { Insertable, Kysely, Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export function find(db: Kysely<Tables>, personId: string) {
  return db
    .selectFrom('payout_destinations')
    .selectAll()
    .where('person_id', '=', personId)
    .executeTakeFirst();
}

/** Locks the person, so that two changes follow one another, and returns since when their address and account are known. */
export function lockPerson(trx: Transaction<Tables>, personId: string) {
  return trx
    .selectFrom('people')
    .select(['email_verified_at', 'created_at'])
    .where('id', '=', personId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function put(trx: Transaction<Tables>, row: Insertable<Tables['payout_destinations']>) {
  const { person_id: _, ...values } = row;
  await trx
    .insertInto('payout_destinations')
    .values(row)
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet(values))
    .execute();
}

/** Forgets the destination, and keeps that there was one. False if there was none. */
export async function clear(trx: Transaction<Tables>, personId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('payout_destinations')
    .set({ details: null, fingerprint: null })
    .where('person_id', '=', personId)
    .where('details', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** What decides whether these people can be paid. */
export function listReadiness(db: Kysely<Tables>, personIds: string[]) {
  return db
    .selectFrom('people')
    .leftJoin('payout_destinations as d', 'd.person_id', 'people.id')
    .select(['people.id', 'email_verified_at', 'verify_email_by', 'held_until', 'details'])
    .where('people.id', 'in', personIds)
    .execute();
}
