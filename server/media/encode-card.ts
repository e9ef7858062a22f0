import { formatOf } from './encode-photo.ts';
import { type Bounds, runInChild } from './run-in-child.ts';
import type { CardShape } from './tasks/card.ts';

const bounds = { seconds: 60, memory: 512 * 1024 ** 2 };
/** A poster has as many pixels as the best rendition of its video, and a photo at most half as many as this. */
const maxPixels = 8_000_000;

interface CardSettings extends Pick<Bounds, 'signal'> {
  shape?: CardShape;
}

/** Writes one of our pictures as a JPEG for link previews. Throws MediaRefusal if it cannot be decoded. */
export async function encodeCard(
  path: string,
  target: string,
  { shape = 'picture', signal }: CardSettings = {},
): Promise<void> {
  const format = await formatOf(path);
  await runInChild('card', { path, format, target, maxPixels, shape }, { ...bounds, signal });
}
