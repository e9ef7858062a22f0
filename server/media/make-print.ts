import { type Bounds, runInChild } from './run-in-child.ts';

/** Three minutes of video in 360p are decoded in some seconds; but the child may have the lowest priority. */
const bounds = { seconds: 300, silence: 60, memory: 768 * 1024 ** 2 };
/** Our own files have fewer pixels. */
const maxPixels = 6_000_000;

/**
 * The print of one of our photos or reels; null if it shows nothing. Throws MediaRefusal if it cannot be decoded, MediaWorkerCrash if it
 * crashed the process.
 */
export async function makePrint(
  path: string,
  of: 'picture' | 'reel',
  { signal }: Pick<Bounds, 'signal'> = {},
): Promise<Buffer | null> {
  const { print } =
    of === 'reel'
      ? await runInChild('watch', { path, container: 'mov' }, { ...bounds, signal })
      : await runInChild('print', { path, maxPixels }, { ...bounds, signal });
  return print === null ? null : Buffer.from(print, 'base64');
}
