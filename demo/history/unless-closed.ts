import { MonthClosed } from '#server/features/month-counts/months.ts';

/**
 * Runs a step of the demo's past. If its month is closed already, after a restart of the program, the step runs again at the current time.
 */
export async function unlessClosed<T>(now: Date, run: (instead?: Date) => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof MonthClosed)) throw error;
    return await run(now);
  }
}
