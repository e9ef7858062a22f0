import type { Context } from '#server/platform/context.ts';

const hour = 60 * 60 * 1000;

/**
 * Removes, now and every hour, what a killed process left of its work on this machine: the sweep is a job that only one
 * machine does. Returns what ends it.
 */
export function keepWorkspacesSwept(
  { storage, clock }: Context<'storage' | 'clock'>,
  failed: (error: unknown) => void,
): () => void {
  const sweepOnce = () =>
    storage.sweepWorkspaces(new Date(clock().getTime() - hour)).catch((error: unknown) => failed(error));
  void sweepOnce();
  const sweeping = setInterval(sweepOnce, hour);
  sweeping.unref();
  return () => clearInterval(sweeping);
}
