import type { Random } from '../random.ts';
import {
  type Canvas,
  type Color,
  type Draw,
  disc,
  glow,
  gradient,
  line,
  mix,
  paintPixels,
  smooth,
  splat,
} from './canvas.ts';
import { layeredNoise } from './noise.ts';
import type { Palette } from './palettes.ts';

interface Kite {
  x: number;
  y: number;
  size: number;
  phase: number;
  colors: readonly [Color, Color];
}

/** Kites over the city on Uttarayan, each pulling at its string. */
export function kites(palette: Palette, random: Random): Draw {
  const pairs: (readonly [Color, Color])[] = [
    [palette.middle, palette.accent],
    [palette.accent, palette.light],
    [palette.light, palette.middle],
  ];
  const flock = Array.from(
    { length: 9 },
    (_, index): Kite => ({
      x: (random() - 0.5) * 1.5,
      y: -0.85 + (index / 9) * 1.35 + (random() - 0.5) * 0.2,
      size: 0.09 + (index / 9) * 0.17,
      phase: random() * 6.3,
      colors: pairs[index % 3] ?? [palette.accent, palette.light],
    }),
  );
  const seed = Math.floor(random() * 300);
  return (canvas, t) => {
    const tall = canvas.height / Math.min(canvas.width, canvas.height);
    gradient(canvas, palette.ground, palette.accent, 1.25);
    glow(canvas, 0.4, tall * 0.7, 1.9, palette.light, 0.4);
    paintPixels(canvas, (x, y, out) => {
      const cloud = smooth(0.52, 0.82, layeredNoise(x * 0.8 + t * 0.05, y * 1.9, 4, seed)) * 0.55;
      for (let part = 0; part < 3; part += 1)
        out[part] = mix(out[part] ?? 0, palette.light[part] ?? 1, cloud);
    });
    for (const kite of flock) drawKite(canvas, kite, tall, t);
  };
}

function drawKite(
  canvas: Canvas,
  { x: homeX, y: homeY, size, phase, colors }: Kite,
  tall: number,
  t: number,
): void {
  const x = homeX + Math.sin(t * 0.9 + phase) * 0.13 + Math.sin(t * 2.3 + phase) * 0.03;
  const y = homeY * tall * 0.8 + Math.cos(t * 1.1 + phase * 2) * 0.09;
  const tilt = Math.sin(t * 0.9 + phase + 1.2) * 0.35;
  const turn = (dx: number, dy: number) =>
    [dx * Math.cos(tilt) + dy * Math.sin(tilt), dy * Math.cos(tilt) - dx * Math.sin(tilt)] as const;
  let from: [number, number] = [x, y + size * 0.2];
  for (let step = 1; step <= 12; step += 1) {
    const share = step / 12;
    const to: [number, number] = [
      x + (homeX * 0.4 - x) * share + Math.sin(share * 3) * 0.18,
      mix(y, tall * 1.1, share ** 1.35),
    ];
    line(canvas, from, to, 0.005, [1, 1, 1], 0.35);
    from = to;
  }
  splat(canvas, x, y, size * 1.5, colors[0], (dx, dy) => {
    const [a, b] = turn(dx, dy);
    return 1 - smooth(-0.008, 0.008, Math.abs(a) + Math.abs(b) - size);
  });
  splat(canvas, x, y, size * 1.5, colors[1], (dx, dy) => {
    const [a, b] = turn(dx, dy);
    const inside = 1 - smooth(-0.008, 0.008, Math.abs(a) + Math.abs(b) - size);
    return (
      inside *
      (1 - smooth(-0.008, 0.008, Math.abs(Math.abs(a) + Math.abs(b) * 0.4 - size * 0.42) - size * 0.14))
    );
  });
  for (let knot = 1; knot <= 4; knot += 1) {
    const swing = Math.sin(t * 3 + phase - knot * 0.7) * 0.035 * knot;
    disc(
      canvas,
      x + swing - tilt * 0.05,
      y + size * (1.02 + knot * 0.24),
      size * 0.1,
      colors[knot % 2] ?? colors[0],
    );
  }
}
