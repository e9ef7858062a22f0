import type { Random } from '../random.ts';
import { type Color, type Draw, glow, gradient, line, mix, smooth, splat } from './canvas.ts';
import type { Palette } from './palettes.ts';

/** City lights through a window in the rain. */
export function monsoon(palette: Palette, random: Random): Draw {
  const colors: Color[] = [palette.accent, palette.middle, palette.light, palette.accent, [0.95, 0.25, 0.3]];
  const lights = Array.from({ length: 34 }, (_, index) => ({
    x: (random() - 0.5) * 2.4,
    y: (random() - 0.35) * 1.5,
    radius: 0.07 + random() * 0.19,
    drift: (random() - 0.5) * 0.09,
    blink: random() * 6.3,
    color: colors[index % colors.length] ?? palette.accent,
  }));
  const drops = Array.from({ length: 70 }, () => ({
    x: (random() - 0.5) * 2.1,
    start: random(),
    speed: 0.05 + random() * 0.22,
    size: 0.012 + random() * 0.026,
  }));
  const streaks = Array.from({ length: 60 }, () => ({
    x: (random() - 0.5) * 2.6,
    start: random(),
    speed: 0.9 + random() * 0.7,
  }));
  return (canvas, t) => {
    const tall = canvas.height / Math.min(canvas.width, canvas.height);
    gradient(canvas, palette.night, palette.ground, 1);
    for (const light of lights) {
      const strength = 0.34 + 0.12 * Math.sin(t * 1.7 + light.blink);
      const x = light.x + light.drift * t;
      splat(
        canvas,
        x,
        light.y * tall * 0.75,
        light.radius + 0.02,
        light.color,
        (dx, dy) => {
          const away = Math.hypot(dx, dy);
          return (
            strength *
            (1 - smooth(light.radius - 0.02, light.radius + 0.02, away)) *
            (0.65 + 0.35 * smooth(light.radius * 0.5, light.radius, away))
          );
        },
        true,
      );
    }
    for (const streak of streaks) {
      const y = mix(-tall - 0.3, tall + 0.3, (streak.start + t * streak.speed) % 1);
      line(canvas, [streak.x, y], [streak.x - 0.03, y + 0.22], 0.005, palette.light, 0.16);
    }
    for (const drop of drops) {
      const slide = (drop.start + t * drop.speed * 0.5) % 1;
      const y = mix(-tall - 0.1, tall + 0.1, slide);
      const x = drop.x + Math.sin(slide * 19 + drop.start * 9) * 0.03;
      line(canvas, [x, y - 0.16], [x, y], drop.size * 0.5, palette.light, 0.07);
      splat(canvas, x, y, drop.size * 1.4, palette.light, (dx, dy) => {
        const away = Math.hypot(dx, dy * 0.85) / drop.size;
        return (
          (1 - smooth(0.8, 1.05, away)) *
          (0.14 + 0.5 * smooth(0.2, 1, away) * smooth(-0.6, 0.8, dy / drop.size))
        );
      });
      glow(canvas, x - drop.size * 0.3, y - drop.size * 0.4, drop.size * 0.6, palette.light, 0.6);
    }
  };
}
