import type { Random } from '../random.ts';
import { type Color, clamp, type Draw, glow, gradient, mix, paintPixels, smooth } from './canvas.ts';
import { layeredNoise } from './noise.ts';
import type { Palette } from './palettes.ts';

const layers = 6;

/** The sun comes up behind hill after hill, and mist lies between them. */
export function hills(palette: Palette, random: Random): Draw {
  const seed = Math.floor(random() * 1000);
  const side = random() < 0.5 ? -1 : 1;
  const haze = between(palette.accent, palette.light, 0.3);
  const shades = Array.from({ length: layers }, (_, layer) => {
    const depth = layer / (layers - 1);
    return between(between(palette.accent, palette.middle, clamp(depth * 1.6)), palette.night, depth * depth);
  });
  return (canvas, t) => {
    const rise = smooth(0, 9, t);
    const tall = canvas.height / Math.min(canvas.width, canvas.height);
    const [sunX, sunY] = [side * 0.25, mix(0.35, -0.3, rise) * tall];
    gradient(canvas, palette.ground, palette.accent, 1.5);
    glow(canvas, sunX, sunY, 1.3, palette.accent, 0.5);
    glow(canvas, sunX, sunY, 0.5, palette.light, 0.4);
    const ridge = (layer: number, x: number) =>
      tall * mix(0.0, 0.75, layer / (layers - 1)) -
      (layeredNoise(
        x * (0.8 + layer * 0.25) + seed + layer * 31 + t * 0.06 * (layer + 1),
        layer * 7,
        5,
        seed,
      ) -
        0.35) *
        0.75;
    const heights = Array.from({ length: layers }, (_, layer) =>
      Float32Array.from({ length: canvas.width }, (__, column) =>
        ridge(
          layer,
          ((column + 0.5) / canvas.width - 0.5) * (canvas.width / Math.min(canvas.width, canvas.height)) * 2,
        ),
      ),
    );
    const half = Math.min(canvas.width, canvas.height) / 2;
    const edge = 1.5 / half;
    paintPixels(canvas, (x, y, out) => {
      const column = Math.floor(x * half + canvas.width / 2);
      lay(out, palette.light, 1 - smooth(0.2 - edge, 0.2 + edge, Math.hypot(x - sunX, y - sunY)));
      for (let layer = 0; layer < layers; layer += 1) {
        const below = y - (heights[layer]?.[column] ?? 9);
        if (below <= -edge) continue;
        const depth = layer / (layers - 1);
        const mist = (1 - depth) * (1 - depth * 0.6) * smooth(0, 0.5, below) * 0.75;
        lay(out, shades[layer] ?? palette.night, smooth(-edge, edge, below));
        lay(out, haze, mist * smooth(-edge, edge, below));
      }
    });
  };
}

/** Blends a color over the present one. */
function lay(out: Float32Array, color: Color, share: number): void {
  for (let part = 0; part < 3; part += 1) out[part] = mix(out[part] ?? 0, color[part] ?? 0, share);
}

function between(a: Color, b: Color, share: number): Color {
  return [mix(a[0], b[0], share), mix(a[1], b[1], share), mix(a[2], b[2], share)];
}
