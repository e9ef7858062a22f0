import type { Random } from '../random.ts';
import type { Color } from './canvas.ts';
import { type Draw, mix, paintPixels, smooth } from './canvas.ts';
import { noise } from './noise.ts';
import type { Palette } from './palettes.ts';

/** Paper cut in layers, drifting: a landscape seen from above, lit from one side. */
export function contours(palette: Palette, random: Random): Draw {
  const seed = Math.floor(random() * 500);
  const scale = 0.75 + random() * 0.6;
  const steps: Color[] = [palette.night, palette.ground, palette.middle, palette.accent, palette.light];
  const levels = 9;
  return (canvas, t) => {
    const height = (x: number, y: number) =>
      noise(x * scale + t * 0.1, y * scale + t * 0.05, seed) * 0.68 +
      noise(x * scale * 2.1 - t * 0.12, y * scale * 2.1 + t * 0.1, seed + 9) * 0.32;
    paintPixels(canvas, (x, y, out) => {
      const here = height(x, y) * levels * 1.15 - 0.8;
      const level = Math.max(0, Math.min(levels - 1, Math.floor(here)));
      const within = here - level;
      const tone = (level / (levels - 1)) * (steps.length - 1);
      const low = steps[Math.floor(tone)] ?? palette.night;
      const high = steps[Math.min(steps.length - 1, Math.floor(tone) + 1)] ?? palette.light;
      const rim = smooth(0.1, 0.02, within);
      const shade = 0.62 + 0.38 * smooth(0, 0.85, 1 - within);
      for (let part = 0; part < 3; part += 1) {
        const base = mix(low[part] ?? 0, high[part] ?? 0, tone - Math.floor(tone));
        out[part] = mix(base * (1.08 - 0.34 * (1 - shade)), palette.light[part] ?? 1, rim * 0.28);
      }
    });
  };
}
