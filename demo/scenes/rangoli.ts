import type { Random } from '../random.ts';
import { type Color, type Draw, mix, paintPixels, smooth } from './canvas.ts';
import type { Palette } from './palettes.ts';

interface Ring {
  radius: number;
  depth: number;
  petals: number;
  turn: number;
  color: Color;
}

/** A rangoli opens ring by ring, and the rings turn against each other. */
export function rangoli(palette: Palette, random: Random): Draw {
  const colors = [
    palette.accent,
    palette.middle,
    palette.light,
    palette.ground,
    palette.accent,
    palette.middle,
  ];
  const symmetry = 6 + 2 * Math.floor(random() * 4);
  const rings = Array.from(
    { length: 7 },
    (_, index): Ring => ({
      radius: 1.32 - index * 0.185,
      depth: 0.05 + random() * 0.1,
      petals: symmetry * (random() < 0.4 ? 2 : 1),
      turn: (random() - 0.5) * 0.5 + (index % 2 ? 0.12 : -0.12),
      color: colors[index % colors.length] ?? palette.light,
    }),
  );
  const sharpness = 0.6 + random() * 0.8;
  return (canvas, t) => {
    const edge = 2.2 / Math.min(canvas.width, canvas.height);
    const opened = rings.map((_, index) => smooth(index * 0.35 - 0.6, index * 0.35 + 1.1, t));
    paintPixels(canvas, (x, y, out) => {
      const radius = Math.hypot(x, y);
      const angle = Math.atan2(y, x);
      const dusk = 1 - smooth(0.3, 2.2, radius);
      for (let part = 0; part < 3; part += 1)
        out[part] = mix(palette.night[part] ?? 0, palette.ground[part] ?? 0, dusk * 0.5);
      for (let index = 0; index < rings.length; index += 1) {
        const ring = rings[index] as Ring;
        const open = opened[index] ?? 0;
        if (radius > ring.radius * open + ring.depth + edge) continue;
        const wave = Math.abs(Math.cos((angle + ring.turn * t) * ring.petals * 0.5)) ** sharpness;
        const border = ring.radius * open * (1 - ring.depth) + ring.depth * wave * open;
        const inside = 1 - smooth(border - edge, border + edge, radius);
        if (inside <= 0) continue;
        const rim = smooth(0.05, 0, Math.abs(radius - border + 0.022) - 0.004) * 0.8;
        const dots = smooth(
          0.35,
          0.1,
          Math.hypot(Math.sin((angle + ring.turn * t) * ring.petals), (radius - border * 0.9) * 28),
        );
        for (let part = 0; part < 3; part += 1) {
          const base = (ring.color[part] ?? 0) * (0.72 + 0.28 * smooth(0, ring.radius, radius));
          const lined = mix(base, palette.night[part] ?? 0, rim * 0.35);
          out[part] = mix(out[part] ?? 0, mix(lined, palette.light[part] ?? 1, dots * 0.9), inside);
        }
      }
    });
  };
}
