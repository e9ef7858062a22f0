import type { Color } from './canvas.ts';

/** Five colors that go together: the darkest ground, a ground, a middle, an accent, the lightest. */
export interface Palette {
  night: Color;
  ground: Color;
  middle: Color;
  accent: Color;
  light: Color;
}

const color = (hex: string): Color =>
  [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as unknown as Color;
const palette = (night: string, ground: string, middle: string, accent: string, light: string): Palette => ({
  night: color(night),
  ground: color(ground),
  middle: color(middle),
  accent: color(accent),
  light: color(light),
});

export const palettes = {
  marigold: palette('14092e', '3b1b5e', 'd1495b', 'f9a620', 'fff3d6'),
  indigo: palette('070a24', '1b2566', '3f6fd8', 'ffb52e', 'eaf1ff'),
  peacock: palette('04141c', '0a4a5c', '11998e', 'c9e265', 'e9fff4'),
  rani: palette('1d0522', '6a0f49', 'd81e6b', 'ffb347', 'ffe6ee'),
  monsoon: palette('081218', '1d3c46', '4f8a8b', 'ffcb74', 'e8f1f2'),
  terracotta: palette('1f0d08', '6b2a1a', 'c8553d', 'f2c14e', 'fff1df'),
  neem: palette('0a140a', '21472b', '6a994e', 'f2e8cf', 'fbfff0'),
  dusk: palette('120a2a', '41295a', 'b0507a', 'ff9e64', 'ffe9d2'),
  jamun: palette('0d0621', '2e1065', '7c3aed', 'f0abfc', 'f5edff'),
  desert: palette('1a1030', '7a3e48', 'e07a5f', 'f4d58d', 'fff8e7'),
} as const;

export type PaletteName = keyof typeof palettes;
