import type { FastifyBaseLogger } from 'fastify';

/**
 * Does one step after the other. One that fails is logged and stops no other: keys of months are destroyed also while something
 * else cannot be deleted. Throws the first error once all were tried, so that the job is tried again.
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
