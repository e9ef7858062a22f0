import { type Insertable, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Batch } from '#server/platform/keyring/reencryption.ts';
import { form } from './fingerprint.ts';

export function find(db: Kysely<Tables>, personId: string) {
  return db
    .selectFrom('payout_destinations')
    .selectAll()
    .where('person_id', '=', personId)
    .executeTakeFirst();
}

/** Locks the person, so that parallel changes run one after another, and returns when they last came back by a mailed link. */
export function lockPerson(trx: Transaction<Tables>, personId: string) {
  return trx
    .selectFrom('people')
    .select('password_reset_at')
    .where('id', '=', personId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Earlier destinations of a person, whose fingerprints are kept. */
const atMost = 100;

/**
 * The earlier fingerprints of a destination, once its current one is replaced by this one. The oldest ones are kept: otherwise operators
 * could make theirs forgotten by changing their destination often.
 */
const withEarlier = (next: RawBuilder<unknown>) => sql<Buffer[]>`
  case when payout_destinations.fingerprint is distinct from ${next}
      and payout_destinations.fingerprint <> all (payout_destinations.earlier)
      and cardinality(payout_destinations.earlier) < ${atMost}
    then payout_destinations.earlier || payout_destinations.fingerprint
    else payout_destinations.earlier end`;

export async function put(trx: Transaction<Tables>, row: Insertable<Tables['payout_destinations']>) {
  const { person_id: _, ...values } = row;
  await trx
    .insertInto('payout_destinations')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('person_id')
        .doUpdateSet({ ...values, earlier: withEarlier(sql.ref('excluded.fingerprint')) }),
    )
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

/** Deletes the destination if it was set since then. False if there was none. */
export async function clear(trx: Transaction<Tables>, personId: string, since: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('payout_destinations')
    .set({ details: null, fingerprint: null, earlier: withEarlier(sql`null::bytea`) })
    .where('person_id', '=', personId)
    .where('details', 'is not', null)
    .where('chosen_at', '>=', since)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

const needsCheck = (payer: string) =>
  sql<boolean>`(checked_payer <> ${payer} or get_byte(fingerprint, 0) <> ${form})`;

/** Destinations whose names were not checked for this payer yet, or whose fingerprints have another form. */
export async function listUnchecked(
  db: Kysely<Tables>,
  { payer, limit, after }: { payer: string; limit: number; after: string | undefined },
): Promise<{ person_id: string; details: Buffer; fingerprint: Buffer; checked_payer: string }[]> {
  let query = db
    .selectFrom('payout_destinations')
    .select(['person_id', 'details', 'fingerprint', 'checked_payer'])
    .$narrowType<{ details: Buffer; fingerprint: Buffer }>()
    .where('details', 'is not', null)
    .where(needsCheck(payer))
    .orderBy('person_id')
    .limit(limit);
  if (after) query = query.where('person_id', '>', after);
  return await query.execute();
}

/** False if it was changed or checked in the meantime. */
export async function markChecked(
  trx: Transaction<Tables>,
  { id, details, checked }: { id: string; details: Buffer; checked: { payer: string; fingerprint: Buffer } },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('payout_destinations')
    .set({ checked_payer: checked.payer, fingerprint: checked.fingerprint })
    .where('person_id', '=', id)
    .where('details', '=', details)
    .where(needsCheck(checked.payer))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export interface Replaced {
  /** Whose destination it is. */
  id: string;
  old: Buffer;
  next: Buffer;
}

/** Replaces the fingerprint of a destination in everybody's history. */
export async function replaceFingerprint(trx: Transaction<Tables>, { old, next }: Replaced) {
  if (old.equals(next)) return;
  await sql`
    update payout_destinations set earlier = array_replace(earlier, ${old}, ${next}) where ${old} = any(earlier)`.execute(
    trx,
  );
}

/** The data that decide whether people can be paid. */
export function listReadiness(db: Kysely<Tables>, personIds: string[]) {
  return db
    .selectFrom('people')
    .leftJoin('payout_destinations as d', 'd.person_id', 'people.id')
    .select(['people.id', 'email_verified_at', 'password_reset_at'])
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

/** Other accounts with the same destination as this person, the first ones in any order, and how many they are, at most this many. */
export async function findSharing(
  db: Kysely<Tables>,
  personId: string,
  { shown, counted }: { shown: number; counted: number },
): Promise<{ count: number; people: { _id: string; username: string }[] }> {
  const { rows } = await sql<{ id: string; username: string }>`
    select p.id, p.username from payout_destinations d
    join payout_destinations o on o.fingerprint = d.fingerprint and o.person_id <> d.person_id
    join people p on p.id = o.person_id
    where d.person_id = ${personId} limit ${counted}`.execute(db);
  return {
    count: rows.length,
    people: rows.slice(0, shown).map(({ id, username }) => ({ _id: id, username })),
  };
}
