import type { Random } from '../random.ts';
import { type Draw, mix, paintPixels, smooth } from './canvas.ts';
import { noise } from './noise.ts';
import type { Palette } from './palettes.ts';

/** A sari moves in the wind: folds of silk with threads of zari. */
export function silk(palette: Palette, random: Random): Draw {
  const seed = Math.floor(random() * 500);
  const scale = 0.9 + random() * 0.5;
  const lean = 0.5 + random() * 0.9;
  return (canvas, t) => {
    paintPixels(canvas, (x, y, out) => {
      const a = noise(x * scale + t * 0.16, y * scale * 0.7 - t * 0.11, seed);
      const b = noise(x * scale * 0.8 - t * 0.09 + a * 2.2, y * scale + a * 1.4, seed + 5);
      const fold = Math.sin((x * lean + y * 0.55 + b * 2.6) * 3.6 + t * 0.5);
      const shine = Math.max(0, fold) ** 3;
      const deep = smooth(-1, 0.35, fold);
      const thread = Math.abs(Math.sin((x * lean + y * 0.55 + b * 2.6) * 29 + a * 6));
      const zari = smooth(0.965, 1, thread) * (0.35 + shine);
      for (let part = 0; part < 3; part += 1) {
        let value = mix(palette.night[part] ?? 0, palette.ground[part] ?? 0, deep);
        value = mix(value, palette.middle[part] ?? 0, smooth(0.25, 0.8, b) * deep);
        value = mix(value, palette.light[part] ?? 1, shine * 0.42);
        out[part] = mix(value, palette.accent[part] ?? 0, Math.min(1, zari));
      }
    });
  };
}
