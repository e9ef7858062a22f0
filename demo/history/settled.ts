import { MonthSettled } from '#server/features/earnings/months.ts';

/**
 * Runs a step of the demo's past. If its month is already withdrawn, and so cannot change any
 * more, the step runs again at the current time.
 */
export async function unlessSettled<T>(now: Date, run: (instead?: Date) => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof MonthSettled)) throw error;
    return await run(now);
  }
}
