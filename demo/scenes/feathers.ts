import type { Random } from '../random.ts';
import { type Draw, mix, paintPixels, smooth } from './canvas.ts';
import type { Palette } from './palettes.ts';

/** A peacock's tail: eyes in rows, a shimmer running over them. */
export function feathers(palette: Palette, random: Random): Draw {
  const size = 0.42 + random() * 0.14;
  const phase = random() * 6;
  return (canvas, t) => {
    paintPixels(canvas, (x, y, out) => {
      const sway = Math.sin(y * 1.4 + t * 0.9 + phase) * 0.05;
      let row = Math.floor((y + 9) / (size * 0.72));
      let best = 9;
      let bestX = 0;
      let bestY = 0;
      // Of the feathers that reach this place, the one in the lowest row covers the others.
      for (let back = 0; back < 3; back += 1, row -= 1) {
        const shift = row % 2 ? size * 0.5 : 0;
        const column = Math.round((x + sway - shift) / size);
        const dx = x + sway - shift - column * size;
        const dy = y + 9 - (row + 0.5) * size * 0.72;
        const away = Math.hypot(dx, dy > 0 ? dy * 0.86 : dy) / (size * 0.62);
        if (away < 1) {
          best = away;
          bestX = dx / size;
          bestY = dy / size;
          break;
        }
        if (away < best) best = away;
      }
      const barbs = 0.82 + 0.18 * Math.sin(Math.atan2(bestY + 0.5, bestX) * 46);
      const shimmer = 0.72 + 0.34 * Math.sin(x * 1.7 + y * 2.1 - t * 1.8);
      const eye = Math.hypot(bestX, bestY - 0.06);
      for (let part = 0; part < 3; part += 1) {
        let value =
          mix(palette.night[part] ?? 0, palette.ground[part] ?? 0, smooth(1, 0.3, best)) *
          barbs *
          shimmer *
          1.25;
        value = mix(value, (palette.middle[part] ?? 0) * shimmer * 1.15, smooth(0.29, 0.25, eye) * barbs);
        value = mix(value, (palette.accent[part] ?? 0) * (0.72 + 0.3 * shimmer), smooth(0.205, 0.18, eye));
        value = mix(value, (palette.ground[part] ?? 0) * 0.9, smooth(0.145, 0.12, eye));
        value = mix(value, palette.night[part] ?? 0, smooth(0.085, 0.065, Math.hypot(bestX, bestY - 0.09)));
        out[part] = value;
      }
    });
  };
}
