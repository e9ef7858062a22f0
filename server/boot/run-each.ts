import type { FastifyBaseLogger } from 'fastify';

/**
 * Runs steps one after the other. A failing one is logged and does not stop the others: single views are deleted even if another step
 * fails. Throws the first error at the end, so that the job is retried.
 */
export async function runEach(
  steps: Readonly<Record<string, () => Promise<unknown>>>,
  { signal, logger }: { signal: AbortSignal; logger: Pick<FastifyBaseLogger, 'error'> },
): Promise<void> {
  const errors: unknown[] = [];
  for (const [step, run] of Object.entries(steps)) {
    signal.throwIfAborted();
    try {
      await run();
    } catch (error) {
      signal.throwIfAborted();
      errors.push(error);
      logger.error(error, `a step of the hourly work failed: ${step}`);
    }
  }
  if (errors.length > 0) throw errors[0];
}
