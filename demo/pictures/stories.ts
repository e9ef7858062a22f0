import type { PaletteName } from '../scenes/palettes.ts';
import type { SceneName } from '../scenes/scenes.ts';

interface StoryEntry {
  by: string;
  scene: SceneName;
  palette: PaletteName;
  /** The time of the scene, in seconds. */
  moment: number;
  text: string;
  /** Published so many hours before the demo was started, and again each day. */
  hoursAgo: number;
}

const story = (
  by: string,
  scene: SceneName,
  palette: PaletteName,
  moment: number,
  text: string,
  hoursAgo: number,
): StoryEntry => ({ by, scene, palette, moment, text, hoursAgo });

/** The demo's stories of one day. */
export const stories: readonly StoryEntry[] = [
  story('mira.monsoon', 'monsoon', 'peacock', 3, 'स्टूडियो के रास्ते में', 0.4),
  story('aarav.skies', 'kites', 'dusk', 2, 'Manjha ready. Fingers not.', 1.5),
  story('leela.rangoli', 'rangoli', 'dusk', 2.4, 'Guess the festival', 2.6),
  story('sana.silks', 'silk', 'terracotta', 5, 'New colour tomorrow', 3.3),
  story('dev.darya', 'sea', 'marigold', 4, 'Low tide walk, 6 am', 5.2),
  story('ishaan.nights', 'sky', 'dusk', 3.3, 'Clear sky tonight, go out', 6.1),
  story('gauri.garden', 'petals', 'rani', 4, 'आज का गजरा', 7.4),
  story('mira.monsoon', 'blocks', 'monsoon', 3, 'Edit table right now', 8.2),
  story('aarav.skies', 'hills', 'marigold', 5, 'Terrace, 5.40 pm', 9.5),
  story('leela.rangoli', 'diyas', 'marigold', 3, 'Forty lamps. Thirty-nine lit.', 11.3),
  story('dev.darya', 'sea', 'indigo', 6, '', 13.1),
  story('mira.monsoon', 'monsoon', 'rani', 6, 'Umbrella: forgotten', 14.8),
  story('ishaan.nights', 'fireworks', 'indigo', 2.2, 'Somebody’s wedding, seen from our roof', 16.5),
  story('mira.monsoon', 'contours', 'jamun', 4, 'सुबह की चाय', 19.2),
];

/** The story with this number. The numbers of a day follow those of the day before. */
export function storyAt(index: number): StoryEntry {
  const entry = stories[index % stories.length];
  if (!entry) throw new RangeError(`there is no demo story ${index}`);
  return entry;
}

const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** When the story with this number is published. */
export const timeOf = (index: number, begun: Date): Date =>
  new Date(begun.getTime() - storyAt(index).hoursAgo * hour + Math.floor(index / stories.length) * day);

/** The numbers of the stories of the last 24 hours: one of each. */
export const runningAt = (now: Date, begun: Date): number[] =>
  [...stories.keys()].map(
    (index) => index + Math.floor((now.getTime() - timeOf(index, begun).getTime()) / day) * stories.length,
  );
