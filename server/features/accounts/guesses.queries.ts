import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';

export interface Guesses {
  kind: number;
  key: Buffer;
  failures: number;
  paused_until: Date | null;
  tried_at: Date;
}

/** The rows of these keys, locked until the transaction ends. Everybody locks in the order of kinds, so nobody waits in a circle. */
export async function lockGuesses(
  db: Kysely<Tables>,
  keys: readonly { kind: number; key: Buffer }[],
  now: Date,
): Promise<Guesses[]> {
  const rows: Guesses[] = [];
  for (const { kind, key } of keys) {
    rows.push(
      await db
        .insertInto('password_guesses')
        .values({ kind, key, tried_at: now })
        // Nothing is changed by it; it locks and reads the row that is there.
        .onConflict((conflict) => conflict.columns(['kind', 'key']).doUpdateSet({ kind }))
        .returningAll()
        .executeTakeFirstOrThrow(),
    );
  }
  return rows;
}

export async function saveGuesses(db: Kysely<Tables>, { kind, key, ...state }: Guesses) {
  await db
    .updateTable('password_guesses')
    .set(state)
    .where('kind', '=', kind)
    .where('key', '=', key)
    .execute();
}

/** Takes back one failure, and the pause if it is still the one that it brought. */
export async function takeBackGuess(db: Kysely<Tables>, { kind, key, paused_until: brought }: Guesses) {
  await db
    .updateTable('password_guesses')
    .set({
      failures: sql<number>`greatest(failures - 1, 0)`,
      paused_until: sql<Date | null>`nullif(paused_until, ${brought}::timestamptz)`,
    })
    .where('kind', '=', kind)
    .where('key', '=', key)
    .execute();
}

export async function deleteGuesses(db: Kysely<Tables>, { kind, key }: { kind: number; key: Buffer }) {
  await db.deleteFrom('password_guesses').where('kind', '=', kind).where('key', '=', key).execute();
}

export async function deleteOldGuesses(db: Kysely<Tables>, triedBefore: Date) {
  await db.deleteFrom('password_guesses').where('tried_at', '<', triedBefore).execute();
}
