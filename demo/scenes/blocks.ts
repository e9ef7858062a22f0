import type { Random } from '../random.ts';
import { type Draw, mix, paintPixels, smooth } from './canvas.ts';
import type { Palette } from './palettes.ts';

/** Block-printed cloth whose motifs open and turn, one tile after the other. */
export function blocks(palette: Palette, random: Random): Draw {
  const size = [0.5, 0.4, 0.667][Math.floor(random() * 3)] ?? 0.5;
  const petalsOf = [4, 6, 8][Math.floor(random() * 3)] ?? 6;
  const delay = 0.5 + random() * 0.8;
  return (canvas, t) => {
    const edge = 2.4 / Math.min(canvas.width, canvas.height) / size;
    paintPixels(canvas, (x, y, out) => {
      const column = Math.floor(x / size + 100);
      const row = Math.floor(y / size + 100);
      const u = (x / size + 100 - column - 0.5) * 2;
      const v = (y / size + 100 - row - 0.5) * 2;
      const beat = t * 0.9 - Math.hypot(column - 100, row - 100) * 0.32 * delay;
      const turn = smooth(0.15, 0.85, beat - Math.floor(beat)) + Math.floor(beat);
      const swing = 0.5 + 0.5 * Math.sin(turn * Math.PI);
      const isDark = (column + row) % 2 === 0;
      const ground = isDark ? palette.ground : palette.light;
      const print = isDark ? palette.accent : palette.middle;
      const second = isDark ? palette.light : palette.ground;
      const radius = Math.hypot(u, v);
      const angle = Math.atan2(v, u) + turn * (Math.PI / petalsOf) * 2;
      const flower = 0.44 + 0.3 * swing * Math.cos(angle * petalsOf) + 0.06 * Math.cos(angle * petalsOf * 2);
      const star = 0.3 + 0.12 * (1 - swing) * Math.cos(angle * petalsOf + Math.PI);
      const corner = Math.hypot(Math.abs(u) - 1, Math.abs(v) - 1);
      for (let part = 0; part < 3; part += 1) {
        let value = ground[part] ?? 0;
        value = mix(value, print[part] ?? 0, 1 - smooth(flower - edge, flower + edge, radius));
        value = mix(value, second[part] ?? 0, 1 - smooth(star - edge, star + edge, radius));
        value = mix(value, palette.night[part] ?? 0, 1 - smooth(0.1 - edge, 0.1 + edge, radius));
        value = mix(
          value,
          palette.night[part] ?? 0,
          (1 - smooth(0.025, 0.025 + edge, Math.abs(radius - 0.88))) * 0.85,
        );
        value = mix(
          value,
          palette.middle[part] ?? 0,
          1 - smooth(0.2 + 0.08 * swing, 0.2 + 0.08 * swing + edge, corner),
        );
        out[part] = value * (0.95 + 0.05 * Math.sin(x * 220) * Math.sin(y * 220));
      }
    });
  };
}
