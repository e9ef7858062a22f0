import { describe, expect, it } from 'vitest';
import { compressionPlan } from './compression-plan.ts';

const phone = { bytes: 150_000_000, width: 1080, height: 1920, seconds: 60, rate: 30 };

describe('compressionPlan', () => {
  it('scales a portrait or landscape video to the size of the best rendition', () => {
    expect(compressionPlan(phone)).toEqual({ width: 720, height: 1280, bitrate: 5_000_000 });
    expect(compressionPlan({ ...phone, width: 3840, height: 2160 })).toMatchObject({
      width: 1280,
      height: 720,
    });
    expect(compressionPlan({ ...phone, width: 1440, height: 1080 })).toMatchObject({
      width: 960,
      height: 720,
    });
    expect(compressionPlan({ ...phone, width: 1000, height: 8000 })).toMatchObject({
      width: 160,
      height: 1280,
    });
  });

  it('never scales up, makes both sides even, and lowers the bitrate with the number of pixels', () => {
    const plan = compressionPlan({ ...phone, width: 361, height: 641 });
    expect(plan).toMatchObject({ width: 360, height: 640 });
    expect(plan?.bitrate).toBeLessThan(2_000_000);
  });

  it('divides a frame rate above 30 by a whole number', () => {
    expect(compressionPlan({ ...phone, rate: 59.94 })?.rate).toBeCloseTo(29.97);
    expect(compressionPlan({ ...phone, rate: 50 })?.rate).toBe(25);
    expect(compressionPlan({ ...phone, rate: 240 })?.rate).toBe(30);
    expect(compressionPlan({ ...phone, rate: 30 })).not.toHaveProperty('rate');
    expect(compressionPlan({ ...phone, rate: 23.976 })).not.toHaveProperty('rate');
  });

  it('is undefined where the result would not be much smaller', () => {
    expect(compressionPlan({ ...phone, bytes: 3_000_000, seconds: 1 })).toBeUndefined();
    expect(compressionPlan({ ...phone, bytes: 45_000_000 })).toBeUndefined();
    expect(compressionPlan({ ...phone, bytes: 60_000_000 })).toBeDefined();
    expect(compressionPlan({ ...phone, seconds: 0 })).toBeUndefined();
  });
});
