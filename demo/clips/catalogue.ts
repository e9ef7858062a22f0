import type { PaletteName } from '../scenes/palettes.ts';
import type { SceneName } from '../scenes/scenes.ts';

export interface ClipEntry {
  scene: SceneName;
  palette: PaletteName;
  format: 'portrait' | 'landscape' | 'square';
  seconds: number;
  /** Username of its creator. */
  by: string;
  caption: string;
  credit: string;
  categories: string[];
  /** The publication in days before now, and the number of showings. */
  daysAgo: number;
  views: number;
}

const clip = (
  by: string,
  scene: SceneName,
  palette: PaletteName,
  caption: string,
  categories: string,
  daysAgo: number,
  views: number,
  more: Partial<ClipEntry> = {},
): ClipEntry => ({
  by,
  scene,
  palette,
  caption,
  categories: categories.split(' '),
  daysAgo,
  views,
  format: 'portrait',
  seconds: 6,
  credit: '',
  ...more,
});

/** The demo's reels, the fastest to draw first. */
export const clips: readonly ClipEntry[] = [
  clip(
    'aarav.skies',
    'fireworks',
    'jamun',
    'Diwali from our terrace. Nobody slept, nobody minded.',
    'festivals family trending',
    0.05,
    2400,
    { seconds: 4 },
  ),
  clip(
    'mira.monsoon',
    'monsoon',
    'monsoon',
    'बारिश, चाय और खिड़की वाली सीट',
    'nature motivation food',
    0.3,
    3100,
  ),
  clip(
    'kabir.maps',
    'contours',
    'peacock',
    'Every hill is a story told in layers',
    'art mountains',
    0.7,
    1800,
  ),
  clip(
    'tara.trails',
    'hills',
    'dusk',
    'Woke up at 4 for this. Would do it again tomorrow.',
    'mountains travel time-lapse',
    1.2,
    5200,
  ),
  clip(
    'mira.monsoon',
    'monsoon',
    'rani',
    'Marine Drive at 11 pm, wipers on two',
    'cars photography slow-motion',
    3,
    2700,
  ),
  clip(
    'sana.silks',
    'silk',
    'rani',
    'Banarasi in the wind: six yards, no filter',
    'womens-style transitions',
    2,
    4400,
  ),
  clip(
    'dev.darya',
    'sea',
    'indigo',
    'Kovalam, full moon. Sound on for this one.',
    'travel nature music',
    4,
    3900,
  ),
  clip(
    'aarav.skies',
    'kites',
    'indigo',
    'काई पो छे! Uttarayan came early this year',
    'festivals challenges',
    6,
    6100,
  ),
  clip(
    'noor.prints',
    'blocks',
    'terracotta',
    'One block, forty prints, zero mistakes (okay, two)',
    'art trending mens-style',
    5,
    2200,
  ),
  clip(
    'leela.rangoli',
    'rangoli',
    'marigold',
    'Rangoli in 6 seconds. My knees remember the other 3 hours.',
    'rangoli festivals time-lapse',
    8,
    7300,
  ),
  clip(
    'ishaan.nights',
    'sky',
    'desert',
    'Thar desert, no signal, all the stars',
    'science travel time-lapse',
    11,
    4800,
  ),
  clip('gauri.garden', 'petals', 'rani', 'गेंदे की बारिश', 'nature slow-motion', 13, 3300),
  clip(
    'pihu.plumes',
    'feathers',
    'peacock',
    'He only does this when nobody films. Almost.',
    'nature pets',
    16,
    2900,
  ),
  clip(
    'leela.rangoli',
    'diyas',
    'marigold',
    'One hundred and eight diyas and one very patient cat',
    'festivals devotional',
    19,
    6600,
  ),
  clip(
    'sana.silks',
    'silk',
    'peacock',
    'Kanjeevaram, peacock blue. Dadi’s, then mine.',
    'womens-style family',
    24,
    3800,
    { credit: 'Loom: Saraswathi Weavers' },
  ),
  clip('tara.trails', 'hills', 'desert', 'Aravallis before the heat', 'mountains travel', 29, 4100, {
    format: 'landscape',
  }),
  clip('noor.prints', 'blocks', 'peacock', 'Ajrakh, but make it dance', 'art dance transitions', 33, 2600),
  clip('kabir.maps', 'contours', 'dusk', 'Paper, knife, patience', 'art motivation', 38, 1700, {
    format: 'square',
  }),
  clip(
    'dev.darya',
    'sea',
    'jamun',
    'The sea does not care about your deadline',
    'motivation nature study',
    44,
    5400,
  ),
  clip(
    'gauri.garden',
    'petals',
    'marigold',
    'Phool wale uncle said: take it all, shop is closing',
    'street-food festivals hair',
    52,
    5200,
  ),
  clip(
    'ishaan.nights',
    'sky',
    'indigo',
    'Spiti, −9°, worth each finger',
    'travel photography bikes',
    61,
    10800,
  ),
  clip('aarav.skies', 'fireworks', 'marigold', 'New neighbours, old rockets', 'festivals comedy', 70, 9600, {
    format: 'landscape',
  }),
  clip('pihu.plumes', 'feathers', 'jamun', 'Turn your brightness up', 'nature trending', 79, 9600),
  clip('leela.rangoli', 'rangoli', 'peacock', 'आज की रंगोली: मोर', 'rangoli art mehndi', 88, 20000),
  clip(
    'mira.monsoon',
    'diyas',
    'dusk',
    'Power cut. Best evening of the month.',
    'family devotional singing',
    99,
    20000,
  ),
  clip(
    'aarav.skies',
    'kites',
    'terracotta',
    'Lost this one to a neem tree. Respect.',
    'festivals comedy',
    112,
    5900,
  ),
];
