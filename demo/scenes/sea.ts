import type { Random } from '../random.ts';
import { type Draw, disc, glow, gradient, mix, paintPixels, smooth } from './canvas.ts';
import { noise } from './noise.ts';
import type { Palette } from './palettes.ts';

/** Moonlight on the sea, wave before wave. */
export function sea(palette: Palette, random: Random): Draw {
  const seed = Math.floor(random() * 400);
  const stars = Array.from({ length: 90 }, () => ({
    x: (random() - 0.5) * 2.4,
    y: -random(),
    size: 0.003 + random() * 0.006,
    phase: random() * 6.3,
  }));
  const moonX = (random() - 0.5) * 0.7;
  return (canvas, t) => {
    const tall = canvas.height / Math.min(canvas.width, canvas.height);
    const horizon = tall * 0.02;
    gradient(canvas, palette.night, palette.middle, 1.35);
    for (const star of stars)
      glow(
        canvas,
        star.x,
        star.y * tall,
        star.size * 3,
        palette.light,
        0.6 + 0.4 * Math.sin(t * 2 + star.phase),
      );
    glow(canvas, moonX, -tall * 0.42, 1.2, palette.accent, 0.42);
    disc(canvas, moonX, -tall * 0.42, 0.24, palette.light);
    disc(canvas, moonX - 0.07, -tall * 0.42 - 0.05, 0.05, palette.accent, 0.14, 0.03);
    disc(canvas, moonX + 0.06, -tall * 0.42 + 0.07, 0.035, palette.accent, 0.12, 0.02);
    paintPixels(canvas, (x, y, out) => {
      if (y < horizon) return;
      const depth = (y - horizon) / (tall - horizon);
      const near = 1 / (0.07 + depth);
      const swell = Math.sin(near * 11 + t * 1.6 + noise(x * near * 1.3, t * 0.4, seed) * 4);
      const ripple = noise(x * near * 5 + t * 0.35, near * 26 + t * 1.5, seed + 3);
      const path = Math.exp(-(((x - moonX) / (0.1 + depth * 0.55)) ** 2));
      const glint = smooth(0.6, 0.86, ripple * 0.74 + swell * 0.12 + 0.14) * (0.12 + path * 0.95);
      for (let part = 0; part < 3; part += 1) {
        const water =
          mix(palette.ground[part] ?? 0, (palette.night[part] ?? 0) * 0.8, smooth(0, 0.9, depth)) *
          (0.86 + 0.14 * swell);
        out[part] = mix(water, palette.light[part] ?? 1, Math.min(1, glint));
      }
    });
  };
}
