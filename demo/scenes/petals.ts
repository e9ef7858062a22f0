import type { Random } from '../random.ts';
import { type Draw, glow, gradient, mix, smooth, splat } from './canvas.ts';
import type { Palette } from './palettes.ts';

/** Flowers come down slowly, near ones large and soft, far ones small. */
export function petals(palette: Palette, random: Random): Draw {
  const colors = [palette.accent, palette.middle, palette.accent, palette.light];
  const flowers = Array.from({ length: 44 }, (_, index) => ({
    depth: index / 44,
    x: (random() - 0.5) * 2.3,
    start: random(),
    speed: 0.045 + (index / 44) * 0.075,
    spin: (random() - 0.5) * 1.6,
    sway: random() * 6.3,
    leaves: 7 + Math.floor(random() * 6),
    color: colors[index % colors.length] ?? palette.accent,
  }));
  return (canvas, t) => {
    const tall = canvas.height / Math.min(canvas.width, canvas.height);
    gradient(canvas, palette.ground, palette.night, 0.8);
    glow(canvas, 0.55, -tall * 0.8, 2.2, palette.middle, 0.45);
    glow(canvas, -0.7, tall * 0.7, 1.6, palette.accent, 0.16);
    for (const flower of flowers) {
      const fall = (flower.start + t * flower.speed) % 1;
      const size = mix(0.05, 0.3, flower.depth ** 2);
      const x = flower.x + Math.sin(t * 0.8 + flower.sway) * 0.12;
      const y = mix(-tall - size * 1.5, tall + size * 1.5, fall);
      const blur = flower.depth > 0.9 ? 0.05 : 0.012;
      const tilt = 0.55 + 0.45 * Math.cos(t * 0.7 + flower.sway);
      const dim = mix(0.45, 1, flower.depth);
      const rotation = t * flower.spin + flower.sway;
      for (const ring of [1, 0.68, 0.38]) {
        const shade = dim * mix(1.12, 0.72, ring);
        const color = [flower.color[0] * shade, flower.color[1] * shade, flower.color[2] * shade] as const;
        splat(canvas, x, y, size * 1.15 * ring + blur, color, (dx, dy) => {
          const [a, b] = [
            dx * Math.cos(rotation) + dy * Math.sin(rotation),
            (dy * Math.cos(rotation) - dx * Math.sin(rotation)) / tilt,
          ];
          const border = size * ring * (0.8 + 0.2 * Math.cos(Math.atan2(b, a) * flower.leaves + ring * 3));
          return 1 - smooth(border - blur, border + blur, Math.hypot(a, b));
        });
      }
    }
  };
}
