import type { Random } from '../random.ts';
import { type Canvas, type Color, type Draw, disc, glow, gradient, mix, smooth, splat } from './canvas.ts';
import { noise } from './noise.ts';
import type { Palette } from './palettes.ts';

interface Lamp {
  x: number;
  y: number;
  size: number;
  seed: number;
}

const flameOuter: Color = [1, 0.55, 0.12];
const flameInner: Color = [1, 0.93, 0.68];

/** Rows of clay lamps, each flame with its own breath, and sparks going up. */
export function diyas(palette: Palette, random: Random): Draw {
  const rows = 4;
  const lamps = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: 3 + row }, (__, column): Lamp => {
      const share = (column + 0.5) / (3 + row) - 0.5;
      return {
        x: share * 2.4 + (random() - 0.5) * 0.12,
        y: 0.05 + row * 0.42 + (random() - 0.5) * 0.06,
        size: 0.075 + row * 0.035,
        seed: random() * 99,
      };
    }),
  ).flat();
  const sparks = Array.from({ length: 46 }, () => ({
    x: (random() - 0.5) * 2,
    speed: 0.16 + random() * 0.3,
    start: random(),
    sway: random() * 6,
  }));
  return (canvas, t) => {
    const tall = canvas.height / Math.min(canvas.width, canvas.height);
    gradient(canvas, palette.night, palette.ground, 2.2);
    for (const lamp of lamps)
      glow(
        canvas,
        lamp.x,
        lamp.y * tall * 0.62,
        lamp.size * 9,
        [0.95, 0.46, 0.12],
        0.22 + 0.07 * noise(t * 4, lamp.seed),
      );
    for (const lamp of lamps) drawLamp(canvas, { ...lamp, y: lamp.y * tall * 0.62 }, palette, t);
    for (const spark of sparks) {
      const life = (spark.start + t * spark.speed * 0.4) % 1;
      const x = spark.x + Math.sin(t * 1.3 + spark.sway) * 0.07;
      glow(
        canvas,
        x,
        mix(tall, -tall, life),
        0.035,
        [1, 0.66, 0.25],
        1.1 * smooth(0, 0.2, life) * smooth(1, 0.6, life),
      );
    }
  };
}

function drawLamp(canvas: Canvas, { x, y, size, seed }: Lamp, palette: Palette, t: number): void {
  const bowl: Color = [palette.middle[0] * 0.75, palette.middle[1] * 0.55, palette.middle[2] * 0.45];
  splat(canvas, x, y + size * 0.35, size * 1.6, bowl, (dx, dy) => {
    const lower =
      dy > -size * 0.05 ? Math.hypot(dx / 1.35, (dy + size * 0.05) / 0.85) : Math.hypot(dx / 1.35, dy * 4);
    return 1 - smooth(size - 0.008, size + 0.008, lower);
  });
  disc(canvas, x, y + size * 0.28, size * 0.85, palette.accent, 0.16);
  const lean = (noise(t * 2.4, seed) - 0.5) * 0.7;
  const tall = size * (2 + 0.7 * noise(t * 5, seed + 7));
  const flame = (scale: number, color: Color) =>
    splat(canvas, x, y - tall * 0.35, tall * 1.2, color, (dx, dy) => {
      const up = (tall * 0.55 - dy) / (tall * 1.1);
      if (up < 0 || up > 1) return 0;
      const width = size * 0.46 * scale * Math.sin(Math.PI * up ** 0.62) * (1.08 - up * 0.5);
      return 1 - smooth(width - 0.012, width + 0.006, Math.abs(dx - lean * up * up * size * 1.4));
    });
  flame(1, flameOuter);
  flame(0.55, flameInner);
  glow(canvas, x + lean * size * 0.3, y - tall * 0.3, size * 3, [1, 0.62, 0.2], 0.55);
}
