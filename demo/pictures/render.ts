import sharp, { type Sharp } from 'sharp';
import { randomOf } from '../random.ts';
import { createCanvas, toBytes } from '../scenes/canvas.ts';
import type { PaletteName } from '../scenes/palettes.ts';
import { type SceneName, setUpScene } from '../scenes/scenes.ts';
import { pictures } from './catalogue.ts';
import { storyAt } from './stories.ts';

const sizes = { tall: [540, 675], square: [540, 540], wide: [720, 480] } as const;
const enlarged = 2;

/** Renders the picture with this number as a JPEG at `path`, at least 800 pixels wide. */
export async function renderPicture(index: number, path: string): Promise<void> {
  const picture = pictures[index];
  if (!picture) throw new RangeError(`there is no demo picture ${index}`);
  const [width, height] = sizes[picture.format];
  const { scene, palette, moment, mirrors = index } = picture;
  const drawn = drawStill(scene, palette, moment, 5000 + mirrors, width, height);
  await (mirrors === index ? drawn : drawn.flop()).toFile(path);
}

/** The same for a story; each day another drawing of the same scene. */
export async function renderStory(index: number, path: string): Promise<void> {
  const { scene, palette, moment } = storyAt(index);
  await drawStill(scene, palette, moment, 7000 + index, 405, 720).toFile(path);
}

const avatarPalettes: PaletteName[] = [
  'marigold',
  'indigo',
  'peacock',
  'rani',
  'monsoon',
  'terracotta',
  'neem',
  'dusk',
  'jamun',
  'desert',
];

/** Draws a profile picture without a face: a rangoli for each person. */
export async function renderAvatar(index: number, path: string): Promise<void> {
  const palette = avatarPalettes[index % avatarPalettes.length] ?? 'marigold';
  const drawn = drawStill('rangoli', palette, 9, 9000 + index, 256, 256);
  await drawn.toFile(path);
}

function drawStill(
  scene: SceneName,
  palette: PaletteName,
  moment: number,
  seed: number,
  width: number,
  height: number,
): Sharp {
  const canvas = createCanvas(width, height);
  setUpScene(scene, palette, randomOf(seed))(canvas, moment);
  const pixels = new Uint8Array(width * height * 3);
  toBytes(canvas, pixels, seed);
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .resize(width * enlarged, height * enlarged, { kernel: 'lanczos3' })
    .jpeg({ quality: 90 });
}
