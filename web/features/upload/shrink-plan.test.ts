import { describe, expect, it } from 'vitest';
import { shrinkPlan } from './shrink-plan.ts';

const phone = { bytes: 150_000_000, width: 1080, height: 1920, seconds: 60, rate: 30 };

describe('a video is made smaller before it is sent', () => {
  it('to what the server keeps at best, upright or lying, several times smaller', () => {
    expect(shrinkPlan(phone)).toEqual({ width: 720, height: 1280, bitrate: 5_000_000 });
    expect(shrinkPlan({ ...phone, width: 3840, height: 2160 })).toMatchObject({ width: 1280, height: 720 });
    expect(shrinkPlan({ ...phone, width: 1440, height: 1080 })).toMatchObject({ width: 960, height: 720 });
    expect(shrinkPlan({ ...phone, width: 1000, height: 8000 })).toMatchObject({ width: 160, height: 1280 });
  });

  it('never larger in size than it is, both sides even, with fewer bits for fewer pixels', () => {
    const plan = shrinkPlan({ ...phone, width: 361, height: 641 });
    expect(plan).toMatchObject({ width: 360, height: 640 });
    expect(plan?.bitrate).toBeLessThan(2_000_000);
  });

  it('with every second, third, … picture where there are more than 30 a second', () => {
    expect(shrinkPlan({ ...phone, rate: 59.94 })?.rate).toBeCloseTo(29.97);
    expect(shrinkPlan({ ...phone, rate: 50 })?.rate).toBe(25);
    expect(shrinkPlan({ ...phone, rate: 240 })?.rate).toBe(30);
    expect(shrinkPlan({ ...phone, rate: 30 })).not.toHaveProperty('rate');
    expect(shrinkPlan({ ...phone, rate: 23.976 })).not.toHaveProperty('rate');
  });

  it('only where that makes it much smaller', () => {
    expect(shrinkPlan({ ...phone, bytes: 3_000_000, seconds: 1 })).toBeUndefined();
    expect(shrinkPlan({ ...phone, bytes: 45_000_000 })).toBeUndefined();
    expect(shrinkPlan({ ...phone, bytes: 60_000_000 })).toBeDefined();
    expect(shrinkPlan({ ...phone, seconds: 0 })).toBeUndefined();
  });
});
