import type { Insertable, Kysely, Transaction } from 'kysely';
import { lockName } from '#server/platform/database/locks.ts';
import type { SentAnswer, Tables } from '#server/platform/database/tables.ts';

/** Inserts an announced file, unless its owner has `most` unfinished ones; returns whether it did. */
export async function insertIfFewer(
  trx: Transaction<Tables>,
  row: Insertable<Tables['resumable_uploads']>,
  most: number,
  touchedAfter: Date,
): Promise<boolean> {
  // Serialized for each person, so that the count stays true until the row is written.
  await lockName(trx, `uploads of ${row.owner_id}`);
  const { count } = await trx
    .selectFrom('resumable_uploads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', row.owner_id)
    .where('answer', 'is', null)
    .where('touched_at', '>=', touchedAfter)
    .executeTakeFirstOrThrow();
  if (count >= most) return false;
  await trx.insertInto('resumable_uploads').values(row).execute();
  return true;
}

export function find(db: Kysely<Tables>, key: string) {
  return db.selectFrom('resumable_uploads').selectAll().where('key', '=', key).executeTakeFirst();
}

/** Refreshes `touched_at`; false if this person has no such upload. */
export async function touch(db: Kysely<Tables>, key: string, ownerId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('resumable_uploads')
    .set({ touched_at: now })
    .where('key', '=', key)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Counts more bytes of a file of unknown length; returns its owner if that changed anything. */
export async function growTo(
  trx: Transaction<Tables>,
  key: string,
  bytes: number,
): Promise<string | undefined> {
  const row = await trx
    .updateTable('resumable_uploads')
    .set({ bytes })
    .where('key', '=', key)
    .where('deferred', '=', true)
    .where('bytes', '<', bytes)
    .returning('owner_id')
    .executeTakeFirst();
  return row?.owner_id;
}

/** Sets the length of a file that began without one; returns its owner if that changed anything. */
export async function setLength(
  trx: Transaction<Tables>,
  key: string,
  bytes: number,
): Promise<string | undefined> {
  const row = await trx
    .updateTable('resumable_uploads')
    .set({ bytes, deferred: false })
    .where('key', '=', key)
    .where('deferred', '=', true)
    .returning('owner_id')
    .executeTakeFirst();
  return row?.owner_id;
}

export async function setAnswer(trx: Transaction<Tables>, key: string, answer: SentAnswer): Promise<void> {
  await trx
    .updateTable('resumable_uploads')
    .set({ answer: JSON.stringify(answer) })
    .where('key', '=', key)
    .execute();
}

/** Deletes the row of an arriving file; returns its owner, if there was one. */
export async function deleteOne(trx: Transaction<Tables>, key: string): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('resumable_uploads')
    .where('key', '=', key)
    .returning('owner_id')
    .executeTakeFirst();
  return row?.owner_id;
}

/** Deletes the rows of files that received nothing since then; returns those that never arrived completely. */
export async function deleteUntouched(
  trx: Transaction<Tables>,
  before: Date,
): Promise<{ owner_id: string; key: string }[]> {
  const rows = await trx
    .deleteFrom('resumable_uploads')
    .where('touched_at', '<', before)
    .returning((eb) => [
      'owner_id',
      'key',
      eb
        .or([
          eb('answer', 'is not', null),
          eb.exists(
            eb
              .selectFrom('uploads')
              .select('uploads.key')
              .whereRef('uploads.key', '=', 'resumable_uploads.key'),
          ),
        ])
        .as('arrived'),
    ])
    .execute();
  return rows.filter(({ arrived }) => !arrived);
}
