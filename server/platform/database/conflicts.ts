import pg from 'pg';

/** PostgreSQL rolls back one of two transactions that wait for each other, or that cannot both be as if alone. */
const conflicts = ['40P01', '40001'];
const lockTimeout = '55P03';
const missingKey = '23503';
const takenKey = '23505';
const maxTries = 4;

/** Retries after a deadlock or a serialization failure, here and nowhere else. Only for work that is safe to repeat. */
export async function retryOnConflict<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (tries === maxTries || !isConflict(error)) throw error;
    }
  }
}

const isConflict = (error: unknown) =>
  error instanceof pg.DatabaseError && conflicts.includes(error.code ?? '');

/** Whether the error is that others hold a lock: for too long, or in a circle that `retryOnConflict` did not get through. */
export const isLockedOut = (error: unknown) =>
  error instanceof pg.DatabaseError && (error.code === lockTimeout || isConflict(error));

/** After a foreign key violation, returns the id of the row that no longer exists. */
export function missingReference(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== missingKey) return undefined;
  return /=\(([0-9a-f-]{36})\)/.exec(error.detail ?? '')?.[1];
}

/** Whether the error is a violation of this unique index. */
export function isUniqueViolation(error: unknown, index: string): boolean {
  return error instanceof pg.DatabaseError && error.code === takenKey && error.constraint === index;
}
