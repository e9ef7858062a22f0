import pg from 'pg';

/** PostgreSQL aborts one of two transactions that wait for each other, and rolls it back. */
const deadlock = '40P01';
const missingKey = '23503';
const takenKey = '23505';
const maxTries = 4;

/** Retries after a deadlock. Only for work that is safe to repeat. */
export async function retryOnDeadlock<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (tries === maxTries || !(error instanceof pg.DatabaseError) || error.code !== deadlock) throw error;
    }
  }
}

/** After a foreign key violation, returns the id of the row that no longer exists. */
export function missingReference(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== missingKey) return undefined;
  return /=\(([0-9a-f-]{36})\)/.exec(error.detail ?? '')?.[1];
}

/** Whether the error is a violation of this unique index. */
export function isUniqueViolation(error: unknown, index: string): boolean {
  return error instanceof pg.DatabaseError && error.code === takenKey && error.constraint === index;
}
