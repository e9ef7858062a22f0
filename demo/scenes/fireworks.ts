import type { Random } from '../random.ts';
import { type Color, type Draw, glow, gradient, line, mix, smooth } from './canvas.ts';
import type { Palette } from './palettes.ts';

interface Shell {
  start: number;
  x: number;
  y: number;
  reach: number;
  color: Color;
  sparks: { angle: number; speed: number }[];
}

/** Rockets climb over the roofs and open. */
export function fireworks(palette: Palette, random: Random): Draw {
  const colors = [palette.accent, palette.middle, palette.light];
  const shells = Array.from({ length: 11 }, (_, index): Shell => {
    const count = 34 + Math.floor(random() * 22);
    const spin = random();
    return {
      start: index * 0.62 - 1.1 + random() * 0.3,
      x: (random() - 0.5) * 1.4,
      y: -0.15 - random() * 1.05,
      reach: 0.45 + random() * 0.4,
      color: colors[index % 3] ?? palette.accent,
      sparks: Array.from({ length: count }, (__, spark) => ({
        angle: ((spark + spin) / count) * Math.PI * 2,
        speed: (spark % 2 ? 1 : 0.62) * (0.93 + random() * 0.14),
      })),
    };
  });
  const roofs = Array.from({ length: 14 }, () => 0.72 + random() * 0.2);
  return (canvas, t) => {
    const tall = canvas.height / Math.min(canvas.width, canvas.height);
    gradient(canvas, palette.night, palette.ground, 1.6);
    for (const shell of shells) {
      const age = t - shell.start;
      const top = shell.y * tall * 0.72;
      if (age > -0.9 && age < 0) {
        const y = mix(tall, top, 1 - age ** 2 / 0.81);
        glow(canvas, shell.x, y, 0.06, palette.light, 1.2);
        line(canvas, [shell.x, y], [shell.x, y + 0.14], 0.01, palette.accent, 0.5);
      }
      if (age < 0 || age > 2.4) continue;
      const open = 1 - Math.exp(-age * 2.6);
      const fade = smooth(2.4, 0.7, age);
      glow(canvas, shell.x, top, 0.9, shell.color, 0.5 * smooth(0.5, 0, age) + 0.12 * fade);
      for (const { angle, speed } of shell.sparks) {
        const at = (back: number): [number, number] => {
          const spread = (1 - Math.exp(-Math.max(0, age - back) * 2.6)) * shell.reach * speed;
          return [
            shell.x + Math.cos(angle) * spread,
            top + Math.sin(angle) * spread + 0.09 * Math.max(0, age - back) ** 2,
          ];
        };
        line(canvas, at(0.16), at(0), 0.011, shell.color, fade * 0.8);
        const [x, y] = at(0);
        glow(
          canvas,
          x,
          y,
          0.035 + 0.02 * open,
          palette.light,
          fade * (0.5 + 0.5 * Math.sin(age * 31 + angle * 7)),
        );
      }
    }
    drawRoofs(canvas, roofs, tall, palette);
  };
}

function drawRoofs(canvas: Parameters<Draw>[0], roofs: number[], tall: number, palette: Palette): void {
  const { width, height, data } = canvas;
  const half = Math.min(width, height) / 2;
  for (let column = 0; column < width; column += 1) {
    const roof = roofs[Math.floor((column / width) * roofs.length)] ?? 0.8;
    const top = Math.floor(roof * tall * half + height / 2);
    for (let row = Math.max(0, top); row < height; row += 1) {
      const isWindow =
        column % 9 < 4 &&
        (row - top) % 13 > 5 &&
        (row - top) % 13 < 11 &&
        (column * 7 + Math.floor((row - top) / 13) * 13) % 5 === 0
          ? 0.75
          : 0;
      for (let part = 0; part < 3; part += 1) {
        data[(row * width + column) * 3 + part] = mix(
          (palette.night[part] ?? 0) * 0.55,
          palette.accent[part] ?? 0,
          isWindow,
        );
      }
    }
  }
}
