import { type Insertable, type Kysely, sql } from 'kysely';
import type { SentAnswer, Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';

/** Notes a file that is about to be sent, unless its owner has `most` under way; whether it did. */
export async function insertIfFewer(
  db: Kysely<Tables>,
  row: Insertable<Tables['resumable_uploads']>,
  most: number,
  touchedAfter: Date,
): Promise<boolean> {
  return await inTransaction(db, async (trx) => {
    // One at a time for each person, so that the count stays true until the row is written.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`uploads of ${row.owner_id}`}, 0))`.execute(
      trx,
    );
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
  });
}

export function find(db: Kysely<Tables>, key: string) {
  return db.selectFrom('resumable_uploads').selectAll().where('key', '=', key).executeTakeFirst();
}

/** Notes that somebody is at it; false where this person has no such upload. */
export async function touch(db: Kysely<Tables>, key: string, ownerId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('resumable_uploads')
    .set({ touched_at: now })
    .where('key', '=', key)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Counts more bytes of a file whose length is not known. */
export async function growTo(db: Kysely<Tables>, key: string, bytes: number): Promise<void> {
  await db
    .updateTable('resumable_uploads')
    .set({ bytes })
    .where('key', '=', key)
    .where('deferred', '=', true)
    .where('bytes', '<', bytes)
    .execute();
}

/** Says how long a file is that was begun without that. */
export async function setLength(db: Kysely<Tables>, key: string, bytes: number): Promise<void> {
  await db
    .updateTable('resumable_uploads')
    .set({ bytes, deferred: false })
    .where('key', '=', key)
    .where('deferred', '=', true)
    .execute();
}

export async function setAnswer(db: Kysely<Tables>, key: string, answer: SentAnswer): Promise<void> {
  await db
    .updateTable('resumable_uploads')
    .set({ answer: JSON.stringify(answer) })
    .where('key', '=', key)
    .execute();
}

export async function deleteOne(db: Kysely<Tables>, key: string): Promise<void> {
  await db.deleteFrom('resumable_uploads').where('key', '=', key).execute();
}

/** Forgets what nobody has sent anything of for a while; what has arrived of it goes next. */
export async function deleteUntouched(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom('resumable_uploads').where('touched_at', '<', before).execute();
}
