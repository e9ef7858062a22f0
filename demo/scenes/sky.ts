import type { Random } from '../random.ts';
import { type Draw, glow, gradient, line, mix, paintPixels, smooth } from './canvas.ts';
import { layeredNoise } from './noise.ts';
import type { Palette } from './palettes.ts';

/** The night turns over the dunes: star trails, a band of milk, one meteor. */
export function sky(palette: Palette, random: Random): Draw {
  const seed = Math.floor(random() * 400);
  const stars = Array.from({ length: 230 }, () => ({
    radius: 0.05 + random() ** 0.6 * 2.3,
    angle: random() * Math.PI * 2,
    bright: 0.25 + random() ** 3 * 0.9,
  }));
  return (canvas, t) => {
    const tall = canvas.height / Math.min(canvas.width, canvas.height);
    const poleY = -tall * 0.25;
    gradient(canvas, palette.night, palette.ground, 0.9);
    paintPixels(canvas, (x, y, out) => {
      const milk =
        smooth(0.45, 0.85, layeredNoise(x * 1.1 + y * 0.9 + t * 0.03, (x - y) * 0.45, 5, seed)) *
        Math.exp(-((x * 0.8 + y * 0.5 + 0.2) ** 2) * 2.2);
      for (let part = 0; part < 3; part += 1)
        out[part] = mix(out[part] ?? 0, palette.middle[part] ?? 0, milk * 0.7);
    });
    for (const star of stars) {
      const at = (back: number): [number, number] => {
        const angle = star.angle + (t - back) * 0.09;
        return [Math.cos(angle) * star.radius, poleY + Math.sin(angle) * star.radius];
      };
      for (let piece = 0; piece < 3; piece += 1)
        line(
          canvas,
          at(piece * 0.5 + 0.5),
          at(piece * 0.5),
          0.006,
          palette.light,
          star.bright * (0.8 - piece * 0.26),
        );
      const [x, y] = at(0);
      glow(canvas, x, y, 0.028, palette.light, star.bright);
    }
    const meteor = (t - 2.6) / 0.9;
    if (meteor > 0 && meteor < 1) {
      const head: [number, number] = [mix(0.9, -0.7, meteor), mix(-tall * 0.8, -tall * 0.25, meteor)];
      line(canvas, [head[0] + 0.34, head[1] - 0.16], head, 0.012, palette.light, smooth(1, 0.5, meteor));
      glow(canvas, head[0], head[1], 0.12, palette.accent, 1.2 * smooth(1, 0.6, meteor));
    }
    const edge = 3 / canvas.width;
    paintPixels(canvas, (x, y, out) => {
      for (const [layer, base] of [0.5, 0.66, 0.8].entries()) {
        const crest =
          tall * base +
          Math.sin(x * (1.3 - layer * 0.2) + layer * 2 + seed) * 0.16 +
          Math.sin(x * 2.7 + layer) * 0.04;
        const cover = smooth(-edge, edge, y - crest);
        if (cover <= 0) continue;
        const slope = 0.5 + 0.5 * Math.sin(x * (1.3 - layer * 0.2) + layer * 2 + seed + 1.2);
        for (let part = 0; part < 3; part += 1) {
          const sand = mix(
            (palette.night[part] ?? 0) * 0.7,
            palette.ground[part] ?? 0,
            slope * (0.75 - layer * 0.2),
          );
          out[part] = mix(out[part] ?? 0, sand, cover);
        }
      }
    });
  };
}
