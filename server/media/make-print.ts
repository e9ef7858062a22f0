import { type Bounds, runInChild } from './run-in-child.ts';

/** Three minutes of video in 360p are read in some seconds; but the child goes last where others want it. */
const bounds = { seconds: 300, silence: 60, memory: 768 * 1024 ** 2 };
/** What we make ourselves has less. */
const maxPixels = 6_000_000;

/**
 * What a photo or a reel of ours is recognized by; null where nothing is on it. Throws MediaRefusal where it cannot be read,
 * MediaWorkerCrash where it ended the process.
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
