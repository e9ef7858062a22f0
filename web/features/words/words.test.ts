import { describe, expect, it } from 'vitest';
import { languageOf } from './language-of.ts';
import { partsOf } from './parts-of.ts';

describe('what a person wrote leads somewhere', () => {
  it.each([
    ['Look at https://jhalak.example/post/1.', 'https://jhalak.example/post/1'],
    ['(http://a.example/b?c=d#e), or so', 'http://a.example/b?c=d#e'],
    ['देखो https://a.example/रंगोली।', 'https://a.example/रंगोली'],
    ['with @tara.trails, today', '/search?q=tara.trails&kind=person'],
    ['thanks @zoya.', '/search?q=zoya&kind=person'],
    ['@आशा के साथ', '/search?q=%E0%A4%86%E0%A4%B6%E0%A4%BE&kind=person'],
    ['Today #rangoli, and', '/tag/rangoli'],
    ['#रंगोली', '/tag/%E0%A4%B0%E0%A4%82%E0%A4%97%E0%A5%8B%E0%A4%B2%E0%A5%80'],
    ['#team_india2026', '/tag/team_india2026'],
  ])('%s', (words, to) => {
    const parts = partsOf(words);
    expect(parts.filter((part) => part.to !== undefined).map((part) => part.to)).toEqual([to]);
    expect(parts.map(({ text }) => text).join('')).toBe(words);
  });

  it.each([
    'mail tara@people.example',
    'a @ b',
    '@',
    'javascript:alert(1)',
    'ftp://a.example',
    'https://',
    'number #1',
    `#${'a'.repeat(61)}`,
    'a#b &#39; ##',
    '',
  ])('%j is plain text', (words) => {
    expect(partsOf(words).filter((part) => part.to !== undefined)).toEqual([]);
  });

  it('a thousand links and mentions are split in one pass', () => {
    const words = '@a https://b.example '.repeat(1000);
    expect(partsOf(words).filter((part) => part.to !== undefined)).toHaveLength(2000);
  });
});

describe('its language', () => {
  it.each([
    ['Sunset in Goa', 'en'],
    ['गोवा में सूर्यास्त', 'hi'],
    ['गोवा में sunset आज', 'hi'],
    ['கோவாவில் மாலை', 'ta'],
    ['🙂 123', undefined],
  ])('%s: %s', (words, language) => {
    expect(languageOf(words)).toBe(language);
  });
});
