import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { isCopy } from '#server/media/prints/compare-prints.ts';
import { decodePrint } from '#server/media/prints/picture-print.ts';
import { printOf } from '#server/media/tasks/print.ts';
import { someOf } from '#testing/share.ts';
import { pictures } from './catalogue.ts';
import { renderPicture } from './render.ts';

const [copy] = pictures.filter(({ mirrors }) => mirrors !== undefined);
const original = pictures[copy?.mirrors ?? -1];
/** `npm test` draws the copy, its original and some others. */
const others = someOf(
  pictures.filter((picture) => picture !== copy && picture !== original),
  8,
);
const drawn = pictures.filter(
  (picture) => picture === copy || picture === original || others.includes(picture),
);

it('only the mirrored picture of the demo is detected as a copy, which earns nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'jhalak-pictures-'));
  const path = join(folder, 'picture.jpg');
  const prints: { caption: string; print: ReturnType<typeof decodePrint> }[] = [];
  try {
    for (const picture of drawn) {
      const { caption } = picture;
      await renderPicture(pictures.indexOf(picture), path);
      const print = await printOf(sharp(path));
      if (print) prints.push({ caption, print: decodePrint(Buffer.from(print, 'base64')) });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const copies = prints.flatMap((one, place) =>
    prints
      .slice(0, place)
      .flatMap((other) => (isCopy(one.print, other.print) ? [[one.caption, other.caption]] : [])),
  );
  expect(prints.length).toBeGreaterThan(0.8 * drawn.length);
  expect(copies).toEqual([[copy?.caption, original?.caption]]);
});
