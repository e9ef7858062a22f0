import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DrawnReel, drawReel, drawStage, reelChanges, saveReel } from '#testing/copies/reels.ts';
import { randomFrom } from '#testing/random.ts';
import { howMany, someOf } from '#testing/share.ts';
import { watch } from '../tasks/watch.ts';
import { comparerOf, keysOf, searchesOf, storedPart } from './any-print.ts';
import { decodeReel, encodeReel } from './reel-print.ts';

/*
 * The share of copies of reels that are found. `npm run bench -- copies` measures more
 * (docs/decisions/0070-copies-of-reels.md).
 */
const works = howMany('REELS', { share: 1, whole: 3 });
const kinds = someOf(Object.keys(reelChanges), 5);

let folder: string;
let reels: { drawn: DrawnReel; kept: Buffer }[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jhalak-reel-prints-'));
  reels = [];
  for (let work = 0; work < works + 1; work += 1) {
    const drawn = await drawReel(randomFrom(700 + work));
    reels.push({ drawn, kept: storedPart(await printOf(drawn)) });
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function printOf(drawn: DrawnReel, kind?: string): Promise<Buffer> {
  const path = join(folder, 'reel.mp4');
  await saveReel(path, drawn, kind ? reelChanges[kind] : {});
  const { print } = await watch({ path, container: 'mov' });
  return Buffer.from(print ?? '', 'base64');
}
const isCandidate = (copy: Buffer, original: Buffer) => {
  const keys = new Set(keysOf(original));
  return searchesOf(copy).some((search) => search.some((key) => keys.has(key)));
};

describe('a reel that is published again', () => {
  it.each(kinds)('is found as a copy: %s', async (kind) => {
    for (const { drawn, kept } of reels.slice(0, works)) {
      const copy = await printOf(drawn, kind);
      expect([isCandidate(copy, kept), comparerOf(copy)(kept)]).toEqual([true, true]);
    }
  });

  it('is another work if less than half of it is used', async () => {
    const [{ drawn, kept } = { drawn: undefined, kept: Buffer.alloc(0) }] = reels;
    if (!drawn) throw new Error('there is no reel');
    const cut = await printOf({ ...drawn, frames: drawn.frames.slice(0, 30), seconds: 2 });
    expect(comparerOf(cut)(kept)).toBe(false);
  });
});

it('another reel with the same music is another work', async () => {
  const [one, other] = reels;
  if (!one || !other) throw new Error('there are not two reels');
  const print = await printOf({ ...other.drawn, tune: one.drawn.tune });
  expect(comparerOf(print)(one.kept)).toBe(false);
});

it('another action in the same room is another work', async () => {
  const stage = async (acts: number) => await printOf(await drawStage(randomFrom(5), randomFrom(acts)));
  const [one, other] = [await stage(1), await stage(2)];
  expect(isCandidate(one, storedPart(other))).toBe(true);
  expect(comparerOf(one)(storedPart(other))).toBe(false);
});

it('a print does not change when it is stored', () => {
  for (const { kept } of reels) {
    expect(encodeReel(decodeReel(kept)).equals(kept)).toBe(true);
    expect(decodeReel(kept).moments.length).toBeGreaterThanOrEqual(3);
  }
});
