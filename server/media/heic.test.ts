import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '#contract/limits.ts';
import { type HeicPicture, makeHeic } from '#testing/fixtures/heic.ts';
import { isWhole } from '#testing/share.ts';
import { encodePhoto, photoBounds } from './encode-photo.ts';
import { encodeThumbnail } from './encode-thumbnail.ts';
import { runInChild } from './run-in-child.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jhalak-heic-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Green in the top left corner, red beside it, blue below. */
const drawn = 'color=red:size=200x150:rate=25,drawbox=0:75:200:75:blue:fill,drawbox=0:0:60:60:lime:fill';

async function written(picture: Partial<HeicPicture>): Promise<string> {
  const path = join(await mkdtemp(join(folder, 'one-')), 'photo.heic');
  await writeFile(path, await makeHeic({ width: 200, height: 150, source: drawn, ...picture }));
  return path;
}

const plain = () => sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } });
const outFor = (path: string) => mkdtemp(`${path}-out-`);

/** The colours near the corners of a picture, clockwise from the top left. */
async function cornersOf(path: string): Promise<string[]> {
  const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const [r = 0, g = 0, b = 0] = data.subarray((y * info.width + x) * 3);
    return `${r > 128 ? 'red' : ''}${g > 128 ? 'green' : ''}${b > 128 ? 'blue' : ''}`;
  };
  const [right, bottom] = [info.width - 20, info.height - 20];
  return [at(20, 20), at(right, 20), at(right, bottom), at(20, bottom)];
}

describe('a HEIC picture is decoded as the phone intended (decisions §7)', () => {
  const standing = ['green', 'red', 'blue', 'blue'];
  const lying = ['blue', 'green', 'red', 'blue'];
  it.each<[string, Partial<HeicPicture>, { width: number; height: number }, string[]]>([
    ['whole', {}, { width: 200, height: 150 }, standing],
    ['in tiles, as iPhones write it', { tile: 64 }, { width: 200, height: 150 }, standing],
    ['in tiles, turned', { tile: 64, turns: 3 }, { width: 150, height: 200 }, lying],
    ['upside down', { turns: 2 }, { width: 200, height: 150 }, ['blue', 'blue', 'green', 'red']],
    ['of 10 bits', { pixelFormat: 'yuv420p10le' }, { width: 200, height: 150 }, standing],
  ])('%s', async (_what, picture, size, corners) => {
    const path = await written(picture);
    const out = await outFor(path);
    expect(await encodePhoto(path, out)).toMatchObject(size);
    expect(await cornersOf(join(out, 'photo.jpg'))).toEqual(corners);
    await encodeThumbnail(path, out);
    expect(await cornersOf(join(out, 'thumbnail.webp'))).toEqual(corners);
  });

  it('with the colours of its wide gamut, without its location, camera or profile', async () => {
    const { icc } = await sharp(await plain().withIccProfile('p3').png().toBuffer()).metadata();
    const tagged = plain().withExif({ IFD0: { Make: 'SecretCam' } });
    const { exif } = await sharp(await tagged.jpeg().toBuffer()).metadata();
    if (!icc || !exif) throw new Error('sharp wrote no profile or no Exif');
    // Pure green of sRGB, in the values of Display P3.
    const source = 'color=0x75fb4c:size=200x150:rate=25';
    const path = await written({ icc, exif, source, tile: 128 });
    expect((await readFile(path)).includes('SecretCam')).toBe(true);
    const out = await outFor(path);
    await encodePhoto(path, out);
    for (const file of await readdir(out)) {
      const { exif, icc, xmp } = await sharp(join(out, file)).metadata();
      expect({ file, exif, icc, xmp }).toEqual({ file, exif: undefined, icc: undefined, xmp: undefined });
      const [r = 0, g = 0, b = 0] = await sharp(join(out, file)).resize(1, 1).removeAlpha().raw().toBuffer();
      expect(Math.max(r, 255 - g, b)).toBeLessThan(24);
    }
  });

  // The large one takes sixteen seconds of a processor (CONTRIBUTING); the small one may use its share of the memory.
  const large = isWhole
    ? { megapixels: 48, width: 8064, height: 6048, memory: photoBounds.memory }
    : { megapixels: 12, width: 4032, height: 3024, memory: 448 * 1024 * 1024 };
  it(`of ${large.megapixels} megapixels, as from phones, within the memory limit of a photo`, {
    timeout: 150_000,
  }, async () => {
    const { width, height, memory } = large;
    const source = 'testsrc2=size=504x504:rate=25,noise=alls=12';
    const path = await written({ width, height, tile: 504, alike: true, turns: 3, source });
    const input = { path, format: 'heic', folder: await outFor(path), file: 'photo.jpg' } as const;
    const { maxPixels } = limits.photo;
    expect(
      await runInChild('photo', { ...input, small: 'small.webp', maxPixels }, { seconds: 120, memory }),
    ).toMatchObject({ width: 1440, height: 1920 });
  });

  it('is refused by its header if it claims too many pixels, and with a sentence if it is damaged', async () => {
    const huge = await written({ claim: { width: 65536, height: 65536 } });
    await expect(encodePhoto(huge, await outFor(huge))).rejects.toMatchObject({
      code: 'image_too_many_pixels',
    });
    const broken = await written({ tile: 64 });
    const bytes = await readFile(broken);
    await writeFile(broken, bytes.fill(0, bytes.indexOf('mdat') + 4));
    const out = await outFor(broken);
    await expect(encodePhoto(broken, out)).rejects.toMatchObject({
      name: 'MediaRefusal',
      code: 'file_unreadable',
      message: expect.stringMatching(/HEIC/),
    });
    expect(await readdir(out)).toEqual([]);
  });
});
