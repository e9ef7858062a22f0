import { type Bounds, runInChild } from './run-in-child.ts';

const bounds = { seconds: 60, memory: 512 * 1024 ** 2 };
/** A poster has as many as the best rendition of its video. */
const maxPixels = 8_000_000;

/** Writes the poster of a reel of ours as JPEG. Throws MediaRefusal where it cannot be read. */
export async function encodeCard(
  path: string,
  target: string,
  { signal }: Pick<Bounds, 'signal'> = {},
): Promise<void> {
  await runInChild('card', { path, target, maxPixels }, { ...bounds, signal });
}
