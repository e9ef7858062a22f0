import { type Kysely, sql, type Transaction, type Updateable } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Batch } from '#server/platform/keyring/reencryption.ts';

export function find(db: Kysely<Tables>, personId: string) {
  return db.selectFrom('second_factors').selectAll().where('person_id', '=', personId).executeTakeFirst();
}

export function lock(trx: Transaction<Tables>, personId: string) {
  return trx
    .selectFrom('second_factors')
    .selectAll()
    .where('person_id', '=', personId)
    .forUpdate()
    .executeTakeFirst();
}

export async function save(
  db: Kysely<Tables>,
  personId: string,
  row: Updateable<Tables['second_factors']>,
): Promise<void> {
  await db
    .insertInto('second_factors')
    .values({ ...row, person_id: personId })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet(row))
    .execute();
}

/** Secrets that were encrypted with one of these key versions. */
export async function lockSealed(
  trx: Transaction<Tables>,
  { column, heads, after, limit }: Batch & { column: 'secret' | 'pending' },
) {
  const { rows } = await sql<{ id: string; personId: string; sealed: Buffer }>`
    select person_id::text as id, person_id as "personId", ${sql.ref(column)} as sealed from second_factors
    where substring(${sql.ref(column)} from 1 for 4) = any(${heads}::bytea[])
      and person_id::text > ${after} order by 1 limit ${limit} for update skip locked`.execute(trx);
  return rows;
}

export async function writeSealed(
  trx: Transaction<Tables>,
  personId: string,
  values: Pick<Updateable<Tables['second_factors']>, 'secret' | 'pending'>,
) {
  await trx.updateTable('second_factors').set(values).where('person_id', '=', personId).execute();
}

export async function remove(trx: Transaction<Tables>, personId: string): Promise<void> {
  await trx.deleteFrom('second_factors').where('person_id', '=', personId).execute();
  await trx.deleteFrom('recovery_codes').where('person_id', '=', personId).execute();
}

/** Uses up the codes of this time step and of all before it. Returns whether it was unused. */
export async function takeStep(db: Kysely<Tables>, personId: string, step: number): Promise<boolean> {
  const result = await db
    .updateTable('second_factors')
    .set({ used_step: step })
    .where('person_id', '=', personId)
    .where('secret', 'is not', null)
    .where((row) => row.or([row('used_step', 'is', null), row('used_step', '<', step)]))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function takeRecoveryCode(
  db: Kysely<Tables>,
  personId: string,
  codeHash: Buffer,
): Promise<boolean> {
  const result = await db
    .deleteFrom('recovery_codes')
    .where('person_id', '=', personId)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

export async function replaceRecoveryCodes(
  trx: Transaction<Tables>,
  personId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('person_id', '=', personId).execute();
  const rows = hashes.map((code_hash) => ({ person_id: personId, code_hash }));
  await trx.insertInto('recovery_codes').values(rows).execute();
}

export async function countRecoveryCodes(db: Kysely<Tables>, personId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('person_id', '=', personId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export function findPerson(db: Kysely<Tables>, personId: string) {
  return db.selectFrom('people').select(['role', 'username']).where('id', '=', personId).executeTakeFirst();
}

export function listOperators(db: Kysely<Tables>) {
  return db
    .selectFrom('people')
    .leftJoin('second_factors', 'second_factors.person_id', 'people.id')
    .select(['people.id', 'people.username', 'people.operator_role as role', 'second_factors.enrolled_at'])
    .where('people.role', '=', 'operator')
    .orderBy('people.username_key')
    .execute();
}
