import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { changes } from '#testing/copies/changes.ts';
import { fabric, photoFrom } from '#testing/copies/templates.ts';
import { card, scene } from '#testing/copies/works.ts';
import { randomFrom } from '#testing/random.ts';
import { howMany } from '#testing/share.ts';
import { printOf } from '../tasks/print.ts';
import { isCopy } from './compare-prints.ts';
import { decodePrint, encodePrint, indexKey, keysToSearch, type PicturePrint } from './picture-print.ts';

/* The share of copies that are found, by kind of change. `WORKS=1000` measures more (docs/decisions/0065-copies.md). */
const works = howMany('WORKS', { share: 4, whole: 24 });
const timeout = 60_000 + works * 20_000;

const print = async (picture: Buffer) =>
  decodePrint(Buffer.from((await printOf(sharp(picture))) ?? '', 'base64'));
/** Found in the index by a shared key. */
const isCandidate = (copy: PicturePrint, original: PicturePrint) => {
  const keys = new Set(keysToSearch(copy));
  return original.spots.some((spot) => keys.has(indexKey(spot)));
};
const isFound = (copy: PicturePrint, original: PicturePrint) =>
  isCandidate(copy, original) && isCopy(copy, original);

let pictures: Buffer[];
let prints: PicturePrint[];
beforeAll(async () => {
  pictures = [];
  prints = [];
  for (let work = 0; work < works; work += 1) pictures.push(await scene(randomFrom(work + 1)));
  for (const picture of pictures) prints.push(await print(picture));
}, timeout);

describe('a picture that is published again', () => {
  it(
    'is found nine times out of ten, and seven times out of ten for every kind of change',
    async () => {
      const shares: Record<string, number> = {};
      for (const [kind, change] of Object.entries(changes)) {
        let found = 0;
        for (const [work, picture] of pictures.entries()) {
          const original = prints[work];
          if (original && isFound(await print(await change(picture)), original)) found += 1;
        }
        shares[kind] = found / works;
      }
      if (process.env.WORKS) console.table(shares);
      const all = Object.values(shares);
      expect(all.reduce((sum, share) => sum + share, 0) / all.length).toBeGreaterThanOrEqual(0.9);
      expect(Object.entries(shares).filter(([, share]) => share < 0.7)).toEqual([]);
    },
    timeout,
  );

  it('is not called a copy of another work', () => {
    const mistaken = prints.flatMap((one, place) =>
      prints.slice(0, place).flatMap((other, at) => (isFound(one, other) ? [[place, at]] : [])),
    );
    expect(mistaken).toEqual([]);
  });
});

it(
  'a card of the same template with another text is another work',
  async () => {
    const cards: PicturePrint[] = [];
    for (let words = 1; words <= works; words += 1)
      cards.push(await print(await card(randomFrom(5), randomFrom(1000 + words))));
    const mistaken = cards.flatMap((one, place) =>
      cards.slice(0, place).filter((other) => isFound(one, other)),
    );
    expect(mistaken.length).toBe(0);
  },
  timeout,
);

it.each(['cloth of one kind', 'photos of one place from two sides'])(
  '%s are works of their own',
  async (kind) => {
    const made: PicturePrint[][] = [];
    if (kind === 'cloth of one kind') {
      const cloths: PicturePrint[] = [];
      for (let cloth = 0; cloth < 4 * works; cloth += 1)
        cloths.push(await print(await fabric(randomFrom(700 + cloth))));
      made.push(cloths);
    } else {
      for (let place = 0; place < works; place += 1) {
        const photos = [await scene(randomFrom(800 + place))];
        for (const side of [-1, 1] as const)
          photos.push(await photoFrom(side, randomFrom(800 + place), randomFrom(50)));
        made.push(await Promise.all(photos.map(print)));
      }
    }
    const mistaken = made.flatMap((prints) =>
      prints.flatMap((one, place) => prints.slice(0, place).filter((other) => isFound(one, other))),
    );
    expect(mistaken.length).toBe(0);
  },
  timeout,
);

it.each([
  { place: 200_065, side: 1, again: 100_655 },
  { place: 200_089, side: -1, again: 100_893 },
] as const)('a photo of place $place from one step aside is another work', async ({ place, side, again }) => {
  const first = await print(await scene(randomFrom(place)));
  const second = await print(await photoFrom(side, randomFrom(place), randomFrom(again)));
  expect(isCopy(second, first)).toBe(false);
});

it('a print does not change when it is stored', () => {
  for (const one of prints) {
    const stored = decodePrint(encodePrint(one));
    expect(stored.grey.equals(one.grey)).toBe(true);
    expect(stored.spots).toEqual(one.spots);
  }
});

it('a picture without content has no print', async () => {
  const plain = await sharp({ create: { width: 600, height: 800, channels: 3, background: '#123456' } })
    .png()
    .toBuffer();
  expect(await printOf(sharp(plain))).toBeNull();
});
