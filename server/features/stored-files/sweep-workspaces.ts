import type { Context } from '#server/platform/context.ts';

const hour = 60 * 60 * 1000;

/**
 * Deletes, now and every hour, workspaces of killed processes on this machine: the sweep job runs on one machine only.
 * Returns a function that stops it.
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
