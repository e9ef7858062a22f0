import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export interface GuessKey {
  kind: number;
  key: Buffer;
}

export interface Guesses extends GuessKey {
  failures: number;
  paused_until: Date | null;
  tried_at: Date;
}

/** Creates the row of this key if needed, and locks it until the transaction ends. */
export function lockGuesses(db: Kysely<Tables>, { kind, key }: GuessKey, now: Date): Promise<Guesses> {
  return (
    db
      .insertInto('password_guesses')
      .values({ kind, key, tried_at: now })
      // This changes nothing; it locks and returns the existing row.
      .onConflict((conflict) => conflict.columns(['kind', 'key']).doUpdateSet({ kind }))
      .returningAll()
      .executeTakeFirstOrThrow()
  );
}

export async function saveGuesses(db: Kysely<Tables>, { kind, key, ...state }: Guesses) {
  await db
    .updateTable('password_guesses')
    .set(state)
    .where('kind', '=', kind)
    .where('key', '=', key)
    .execute();
}

/** Reverts one try: moves the time when the bucket is full again by this many milliseconds. */
export async function takeBackGuess(db: Kysely<Tables>, { kind, key }: GuessKey, taken: number) {
  await db
    .updateTable('password_guesses')
    .set({ paused_until: sql<Date>`paused_until - make_interval(secs => ${taken / 1000})` })
    .where('kind', '=', kind)
    .where('key', '=', key)
    .execute();
}

export async function deleteGuesses(db: Kysely<Tables>, { kind, key }: GuessKey) {
  await db.deleteFrom('password_guesses').where('kind', '=', kind).where('key', '=', key).execute();
}

export async function deleteOldGuesses(db: Kysely<Tables>, triedBefore: Date, now: Date) {
  await db
    .deleteFrom('password_guesses')
    .where('tried_at', '<', triedBefore)
    .where((row) => row.or([row('paused_until', 'is', null), row('paused_until', '<=', now)]))
    .execute();
}
