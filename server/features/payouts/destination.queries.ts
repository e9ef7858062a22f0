import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Batch } from '#server/platform/keyring/reencryption.ts';

export function find(db: Kysely<Tables>, personId: string) {
  return db
    .selectFrom('payout_destinations')
    .selectAll()
    .where('person_id', '=', personId)
    .executeTakeFirst();
}

/** Locks the person, so that parallel changes run one after another, and returns when the address was verified and the account created. */
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

/** Details that were encrypted with one of these key versions. */
export async function lockDetails(trx: Transaction<Tables>, { heads, after, limit }: Batch) {
  const { rows } = await sql<{ id: string; personId: string; sealed: Buffer }>`
    select person_id::text as id, person_id as "personId", details as sealed from payout_destinations
    where substring(details from 1 for 4) = any(${heads}::bytea[])
      and person_id::text > ${after} order by 1 limit ${limit} for update skip locked`.execute(trx);
  return rows;
}

export async function writeDetails(trx: Transaction<Tables>, personId: string, details: Buffer) {
  await trx.updateTable('payout_destinations').set({ details }).where('person_id', '=', personId).execute();
}

/** Deletes the destination, but records that there was one. False if there was none. */
export async function clear(trx: Transaction<Tables>, personId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('payout_destinations')
    .set({ details: null, fingerprint: null })
    .where('person_id', '=', personId)
    .where('details', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Destinations whose names were not checked for this payer yet. */
export async function listUnchecked(
  db: Kysely<Tables>,
  { payer, limit, after }: { payer: string; limit: number; after: string | undefined },
): Promise<{ person_id: string; details: Buffer }[]> {
  let query = db
    .selectFrom('payout_destinations')
    .select(['person_id', 'details'])
    .$narrowType<{ details: Buffer }>()
    .where('details', 'is not', null)
    .where('checked_payer', 'is distinct from', payer)
    .orderBy('person_id')
    .limit(limit);
  if (after) query = query.where('person_id', '>', after);
  return await query.execute();
}

/** False if it was changed or checked in the meantime. */
export async function markChecked(
  trx: Transaction<Tables>,
  { id, details, payer }: { id: string; details: Buffer; payer: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('payout_destinations')
    .set({ checked_payer: payer })
    .where('person_id', '=', id)
    .where('details', '=', details)
    .where('checked_payer', 'is distinct from', payer)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The data that decide whether people can be paid. */
export function listReadiness(db: Kysely<Tables>, personIds: string[]) {
  return db
    .selectFrom('people')
    .leftJoin('payout_destinations as d', 'd.person_id', 'people.id')
    .select(['people.id', 'email_verified_at', 'verify_email_by'])
    .select(['chosen_at', 'held_until', 'details', 'fingerprint'])
    .where('people.id', 'in', personIds)
    .execute();
}

/** Those of these people whose destination another account also uses. */
export async function listSharing(db: Kysely<Tables>, personIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select person_id as id from payout_destinations d
    where person_id = any(${personIds}::uuid[]) and exists (
      select from payout_destinations o where o.fingerprint = d.fingerprint and o.person_id <> d.person_id
    )`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
