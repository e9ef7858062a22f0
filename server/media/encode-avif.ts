import { type Bounds, runInChild } from './run-in-child.ts';
import type { AvifInput } from './tasks/avif.ts';

/** The largest photo that we make takes about ten seconds of a processor; but the child goes last where others want it. */
const bounds = { seconds: 300, memory: 768 * 1024 ** 2 };
/** What we make ourselves has less. */
const maxPixels = 6_000_000;

/**
 * Makes AVIF of a photo of ours in `folder`; false where one of them would be too large. Throws MediaRefusal where the photo
 * cannot be read, MediaWorkerCrash where it ended the process.
 */
export async function encodeAvif(
  path: string,
  folder: string,
  steps: AvifInput['steps'],
  { signal }: Pick<Bounds, 'signal'> = {},
): Promise<boolean> {
  const { isWorthIt } = await runInChild('avif', { path, folder, steps, maxPixels }, { ...bounds, signal });
  return isWorthIt;
}
