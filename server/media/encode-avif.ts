import { type Bounds, runInChild } from './run-in-child.ts';
import type { AvifInput } from './tasks/avif.ts';

/** The largest photo takes about ten seconds of a processor; but the child may have the lowest priority. */
const bounds = { seconds: 300, memory: 768 * 1024 ** 2 };
/** Our own files have fewer pixels. */
const maxPixels = 6_000_000;

/**
 * Makes AVIF of one of our photos in `folder`; false if one of the files would be too large. Throws MediaRefusal if the photo cannot be
 * decoded, MediaWorkerCrash if it crashed the process.
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
