import pg from 'pg';

/** PostgreSQL ends one of two transactions that wait for each other; what it had done is undone. */
const deadlock = '40P01';
const missingKey = '23503';
const takenKey = '23505';
const triesAtMost = 4;

/** Runs it again where it was ended for the sake of another transaction. For what is safe to do twice. */
export async function retryOnDeadlock<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (tries === triesAtMost || !(error instanceof pg.DatabaseError) || error.code !== deadlock)
        throw error;
    }
  }
}

/** Whether a row was refused because what it refers to has been deleted meanwhile; returns the id of that. */
export function missingReference(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== missingKey) return undefined;
  return /=\(([0-9a-f-]{36})\)/.exec(error.detail ?? '')?.[1];
}

/** Whether a row was refused because another one holds what this unique index lets only one hold. */
export function isUniqueViolation(error: unknown, index: string): boolean {
  return error instanceof pg.DatabaseError && error.code === takenKey && error.constraint === index;
}
