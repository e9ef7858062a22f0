import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { categoryOf } from '#contract/categories.ts';
import { coinsOf, paiseOf, rates, rules } from '#contract/earning-rules.ts';
import { inspectVideo } from '#server/media/inspect-video.ts';
import { monthOf } from '#server/platform/clock.ts';
import { clips } from './clips/catalogue.ts';
import { renderClip } from './clips/render.ts';
import { composeSound } from './clips/sound.ts';
import { watchedUntil } from './history/watching.ts';
import { people } from './people.ts';
import { pictures } from './pictures/catalogue.ts';
import { renderAvatar, renderPicture } from './pictures/render.ts';
import { stories } from './pictures/stories.ts';
import { randomOf } from './random.ts';
import { createCanvas, toBytes } from './scenes/canvas.ts';
import { setUpScene } from './scenes/scenes.ts';

const usernames = new Set(people.map((person) => person.username));

describe('the demo', () => {
  it('has at least 10 creators, 24 reels, 24 pictures, and stories of several people', () => {
    expect(new Set([...clips, ...pictures].map((entry) => entry.by)).size).toBeGreaterThanOrEqual(10);
    expect(new Set(stories.map(({ by }) => by)).size).toBeGreaterThanOrEqual(5);
    expect(clips.length).toBeGreaterThanOrEqual(24);
    expect(pictures.length).toBeGreaterThanOrEqual(24);
  });

  it('covers four months', () => {
    expect(Math.max(...clips.map(({ daysAgo }) => daysAgo))).toBeGreaterThan(100);
  });

  it('gives its creator a month to withdraw under the rules of watched views, on any day [long]', () => {
    const hers = [...clips.keys()].filter((clip) => clips[clip]?.by === 'leela.rangoli');
    for (let later = 0; later < 31; later += 1) {
      const now = new Date(Date.UTC(2026, 10, 1 + later));
      const current = monthOf(now, 'Asia/Kolkata');
      const past = watchedUntil(now, hers).filter(({ at }) => monthOf(at, 'Asia/Kolkata') < current);
      let most = 0;
      for (const views of Map.groupBy(past, ({ at }) => monthOf(at, 'Asia/Kolkata')).values()) {
        const ofHers = views.filter(({ clip }) => hers.includes(clip));
        const established = new Set(ofHers.flatMap(({ viewer = -1 }) => (viewer >= 0 ? [viewer] : []))).size;
        const { views: alone, viewsPerCreator } = rules.vouching;
        const pay = Math.min(ofHers.length, alone + viewsPerCreator * established);
        if (established >= 20) most = Math.max(most, pay);
      }
      const paise = paiseOf(coinsOf({ reels: 0, posts: 0, stories: 0, views: most, likes: 0 }));
      expect(paise, now.toISOString()).toBeGreaterThanOrEqual(rates.minimumWithdrawalPaise);
    }
  });

  it('names only people and categories that exist', () => {
    for (const { by } of [...clips, ...pictures, ...stories]) expect(usernames).toContain(by);
    for (const { follows } of people) for (const other of follows) expect(usernames).toContain(other);
    for (const { categories } of clips) {
      expect(categories.length).toBeLessThanOrEqual(3);
      for (const id of categories) expect(categoryOf(id), id).toBeDefined();
    }
  });

  it('draws every clip differently, with light and dark areas in each', () => {
    const seen = new Set<string>();
    for (const [index, { scene, palette }] of clips.entries()) {
      const canvas = createCanvas(36, 64);
      setUpScene(scene, palette, randomOf(index * 101 + 7))(canvas, 2.5);
      const bytes = new Uint8Array(36 * 64 * 3);
      toBytes(canvas, bytes, 1);
      expect(Math.max(...bytes) - Math.min(...bytes), `${scene} in ${palette}`).toBeGreaterThan(60);
      seen.add(Buffer.from(bytes).toString('base64'));
    }
    expect(seen.size).toBe(clips.length);
  });

  it('composes audible music without clipping, different for each clip', () => {
    const pieces = [1, 2, 3].map((seed) => composeSound(2, seed));
    for (const piece of pieces) {
      let loudest = 0;
      for (let at = 44; at < piece.length; at += 2)
        loudest = Math.max(loudest, Math.abs(piece.readInt16LE(at)));
      expect(loudest).toBeGreaterThan(8000);
      expect(loudest).toBeLessThan(32767);
    }
    expect(pieces[0]?.equals(pieces[1] as Buffer)).toBe(false);
  });
});

describe('rendering', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jhalak-demo-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('makes a real video with sound', async () => {
    await renderClip(0, join(folder, 'clip.mp4'));
    const facts = await inspectVideo(join(folder, 'clip.mp4'));
    expect(facts).toMatchObject({ width: 540, height: 960, hasAudio: true });
    expect(facts.seconds).toBeCloseTo(clips[0]?.seconds ?? 0, 0);
  });

  it('makes real pictures, the same at every start', async () => {
    await renderPicture(1, join(folder, 'one.jpg'));
    await renderPicture(1, join(folder, 'again.jpg'));
    await renderAvatar(1, join(folder, 'avatar.jpg'));
    expect(await sharp(join(folder, 'one.jpg')).metadata()).toMatchObject({
      format: 'jpeg',
      width: 1080,
      height: 1080,
    });
    const pixels = (name: string) => sharp(join(folder, name)).raw().toBuffer();
    expect((await pixels('one.jpg')).equals(await pixels('again.jpg'))).toBe(true);
    expect((await sharp(join(folder, 'avatar.jpg')).metadata()).width).toBe(512);
  });
});
