import { type Bounds, runInChild } from './run-in-child.ts';

const bounds = { seconds: 60, memory: 512 * 1024 ** 2 };
/** A poster has as many pixels as the best rendition of its video. */
const maxPixels = 8_000_000;

/** Writes the poster of one of our reels as JPEG. Throws MediaRefusal if it cannot be decoded. */
export async function encodeCard(
  path: string,
  target: string,
  { signal }: Pick<Bounds, 'signal'> = {},
): Promise<void> {
  await runInChild('card', { path, target, maxPixels }, { ...bounds, signal });
}
