import { expect, it } from 'vitest';
import { chosenTrack } from './tracks.ts';

const tracks = ['bn', 'en-IN', 'hi'].map((language) => ({ language, url: `/${language}.vtt` }));
const shown = (on: boolean, language?: string, page = 'en') =>
  chosenTrack(tracks, { on, language }, page)?.language;

it('shows the chosen language, else the page’s, else a related one, else any; nothing when captions are off', () => {
  expect(shown(true, 'hi')).toBe('hi');
  expect(shown(true, undefined, 'hi')).toBe('hi');
  expect(shown(true, undefined, 'en')).toBe('en-IN');
  expect(shown(true, 'hi-IN')).toBe('hi');
  expect(shown(true, 'ta')).toBe('bn');
  expect(shown(false, 'hi')).toBeUndefined();
  expect(chosenTrack([], { on: true, language: 'hi' }, 'en')).toBeUndefined();
});
