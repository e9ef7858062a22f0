import { describe, expect, it } from 'vitest';
import { bitrateOf, rungOf, smallestVideo, unmeasured, videoFor } from './rendition.ts';

const at = (side: number, bitrate: number) => ({
  width: side,
  height: (side * 16) / 9,
  bitrate,
  url: `${side}.mp4`,
});
const reel = { videourl: '720.mp4', renditions: [at(360, 700_000), at(540, 1_400_000), at(720, 2_900_000)] };

describe('the chosen rendition', () => {
  it.each([
    [0, '360.mp4'],
    [500_000, '360.mp4'],
    [2_000_000, '360.mp4'],
    [2_100_000, '540.mp4'],
    [unmeasured, '540.mp4'],
    [4_400_000, '720.mp4'],
    [50_000_000, '720.mp4'],
  ])('at %i bits a second is %s: it arrives faster than it plays', (speed, file) => {
    expect(videoFor(reel, speed)).toBe(file);
  });

  it.each([
    ['a phone with a pixel for each point', { width: 360, height: 640, filled: true }, '360.mp4'],
    ['a long one, which cuts the sides off', { width: 360, height: 800, filled: true }, '540.mp4'],
    ['a phone of three pixels to a point', { width: 1080, height: 2340, filled: true }, '720.mp4'],
    ['a desk, where all of it is seen', { width: 1280, height: 800 }, '540.mp4'],
    ['a desk with twice the pixels', { width: 2560, height: 1600 }, '720.mp4'],
    ['the overlay on a phone', { width: 318, height: 523 }, '360.mp4'],
  ])('on %s has no more pixels than it shows, however fast it would come', (_, room, file) => {
    expect(videoFor(reel, 50_000_000, room)).toBe(file);
    expect(videoFor(reel, 0, room)).toBe('360.mp4');
  });

  it('is the smallest in a preview', () => {
    expect(smallestVideo(reel)).toBe('360.mp4');
  });

  it('is reported by its short side for any aspect ratio', () => {
    expect(rungOf(reel, '540.mp4')).toBe(540);
    const odd = { width: 480, height: 854, bitrate: 1, url: 'video.mp4' };
    expect(rungOf({ videourl: 'video.mp4', renditions: [odd] }, 'video.mp4')).toBe(540);
    expect(rungOf({ videourl: 'video.mp4' }, 'video.mp4')).toBe(0);
  });

  it('is the only file of a reel without renditions', () => {
    for (const old of [{ videourl: 'video.mp4', renditions: [] }, { videourl: 'video.mp4' }]) {
      expect(videoFor(old, 0)).toBe('video.mp4');
      expect(smallestVideo(old)).toBe('video.mp4');
      expect(bitrateOf(old, 'video.mp4')).toBeUndefined();
    }
  });
});
