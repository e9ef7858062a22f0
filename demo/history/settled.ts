import { MonthSettled } from '#server/features/earnings/months.ts';

/**
 * Runs a step of the demo's past. Where somebody has withdrawn the month it belongs to already, which then moves no
 * more, it is run again to happen now.
 */
export async function unlessSettled<T>(now: Date, run: (instead?: Date) => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof MonthSettled)) throw error;
    return await run(now);
  }
}
