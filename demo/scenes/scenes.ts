import type { Random } from '../random.ts';
import { blocks } from './blocks.ts';
import type { Draw } from './canvas.ts';
import { contours } from './contours.ts';
import { diyas } from './diyas.ts';
import { feathers } from './feathers.ts';
import { fireworks } from './fireworks.ts';
import { hills } from './hills.ts';
import { kites } from './kites.ts';
import { monsoon } from './monsoon.ts';
import { type Palette, type PaletteName, palettes } from './palettes.ts';
import { petals } from './petals.ts';
import { rangoli } from './rangoli.ts';
import { sea } from './sea.ts';
import { silk } from './silk.ts';
import { sky } from './sky.ts';

const scenes = {
  blocks,
  contours,
  diyas,
  feathers,
  fireworks,
  hills,
  kites,
  monsoon,
  petals,
  rangoli,
  sea,
  silk,
  sky,
} satisfies Record<string, (palette: Palette, random: Random) => Draw>;
export type SceneName = keyof typeof scenes;

/** Creates a scene; the same name, palette and random numbers give the same result. */
export function setUpScene(name: SceneName, palette: PaletteName, random: Random): Draw {
  return scenes[name](palettes[palette], random);
}
