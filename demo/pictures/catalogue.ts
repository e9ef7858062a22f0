import type { PaletteName } from '../scenes/palettes.ts';
import type { SceneName } from '../scenes/scenes.ts';

export interface PictureEntry {
  by: string;
  scene: SceneName;
  palette: PaletteName;
  /** The time of the scene, in seconds. */
  moment: number;
  format: 'tall' | 'square' | 'wide';
  caption: string;
  description: string;
  daysAgo: number;
  /** The number of the picture of which this is a mirrored copy. */
  mirrors?: number;
}

const post = (
  by: string,
  scene: SceneName,
  palette: PaletteName,
  moment: number,
  format: PictureEntry['format'],
  caption: string,
  description: string,
  daysAgo: number,
): PictureEntry => ({ by, scene, palette, moment, format, caption, description, daysAgo });

/** The demo's posts. */
export const pictures: readonly PictureEntry[] = [
  post(
    'tara.trails',
    'hills',
    'marigold',
    7,
    'tall',
    'First light over Munnar',
    'Three buses, one flask of tea.',
    0.2,
  ),
  post(
    'leela.rangoli',
    'rangoli',
    'terracotta',
    6,
    'square',
    'Courtyard, Tuesday',
    'Brick dust, turmeric, rice flour.',
    0.9,
  ),
  post('sana.silks', 'silk', 'jamun', 3, 'tall', 'Jamun silk', 'The colour has a name in every house.', 1.6),
  post('dev.darya', 'sea', 'dusk', 5, 'wide', 'Gokarna, day 2', 'Phone at 4 %. Worth it.', 2.8),
  post(
    'noor.prints',
    'blocks',
    'rani',
    2,
    'square',
    'Sample no. 14',
    'Teak block, rani pink, unbleached cotton.',
    4,
  ),
  post('kabir.maps', 'contours', 'marigold', 8, 'tall', 'Deccan, imagined', 'Nine layers of paper.', 5),
  post('ishaan.nights', 'sky', 'jamun', 3.1, 'tall', 'Caught one', 'Geminids, 2:14 am.', 7),
  post('gauri.garden', 'petals', 'dusk', 4, 'square', 'Pooja thali, before', '', 9),
  post(
    'pihu.plumes',
    'feathers',
    'indigo',
    1,
    'tall',
    'Sharmila, resting',
    'Resident peahen disagrees with this angle.',
    12,
  ),
  post('aarav.skies', 'kites', 'rani', 6, 'wide', 'Old city, old rivalries', 'We lost. Gracefully.', 14),
  post('mira.monsoon', 'monsoon', 'indigo', 2, 'tall', 'Red light, green light', 'Andheri, 9 pm.', 17),
  post('leela.rangoli', 'diyas', 'rani', 5, 'square', 'Ghar wali Diwali', '', 20),
  post('tara.trails', 'hills', 'neem', 8, 'wide', 'Western Ghats in July', 'Leeches not pictured.', 25),
  post('dev.darya', 'sea', 'peacock', 2, 'tall', 'Havelock at midnight', 'The water answered.', 31),
  post('sana.silks', 'silk', 'marigold', 6, 'square', 'Haldi yellow', 'For my sister.', 36),
  post(
    'noor.prints',
    'silk',
    'indigo',
    4,
    'tall',
    'Indigo, seventh dip',
    'It is never too late for an eighth.',
    42,
  ),
  post(
    'kabir.maps',
    'contours',
    'rani',
    1,
    'square',
    'Heat map of a heartbreak',
    'Kidding. It is rainfall.',
    49,
  ),
  post('ishaan.nights', 'sky', 'peacock', 6, 'wide', 'Hanle', 'Altitude 4,500 m. Attitude: humbled.', 57),
  post('gauri.garden', 'petals', 'neem', 2, 'tall', 'Terrace garden, week 12', '', 66),
  post('pihu.plumes', 'rangoli', 'rani', 3, 'square', 'What if', 'A peacock, but rani pink.', 74),
  post('aarav.skies', 'fireworks', 'desert', 3.2, 'tall', 'Half a second', 'Tripod: a dabba.', 83),
  post(
    'mira.monsoon',
    'monsoon',
    'marigold',
    5,
    'square',
    'Bokeh biryani',
    'That is what my brother calls it.',
    91,
  ),
  post('leela.rangoli', 'rangoli', 'rani', 5.5, 'tall', 'Practice', 'Number 61 of 100.', 101),
  post('tara.trails', 'hills', 'indigo', 6, 'tall', 'Blue hour, Auli', '', 115),
  {
    ...post('rohan.looks', 'rangoli', 'terracotta', 6, 'square', 'My rangoli', 'Made it this morning.', 0.5),
    mirrors: 1,
  },
];
