import { describe, expect, it } from 'vitest';
import { askedOf } from './asked.ts';
import { exactMatches, looseMatches } from './matches.ts';

/** Whether the last word matches as the beginning of a word, in some way. */
const begins = (q: string, kind: 'reel' | 'person' | 'tag') => {
  const asked = askedOf(q);
  const all = [...exactMatches(kind, asked), ...looseMatches(asked, new Map())];
  return JSON.stringify(all).includes(':*');
};

describe('the last word of a search', () => {
  it.each(['reel', 'person', 'tag'] as const)(
    'is the beginning of one from three letters on, of %s',
    (kind) => {
      expect(begins('zumba dan', kind)).toBe(true);
      expect(begins('dan', kind)).toBe(true);
      expect(begins('zumba da', kind)).toBe(false);
      expect(begins('zumba d', kind)).toBe(false);
    },
  );

  it('of one or two letters alone is the beginning of the name of a person or tag', () => {
    expect(begins('da', 'person')).toBe(true);
    expect(begins('d', 'tag')).toBe(true);
    expect(exactMatches('reel', askedOf('da'))).toEqual([]);
  });
});

describe('similar words', () => {
  it('are searched only where a word is corrected, since nothing else can be found so', () => {
    expect(looseMatches(askedOf('zumba'), new Map([['junba', []]]))).toEqual([]);
    expect(looseMatches(askedOf('zumba'), new Map([['junba', ['runba']]]))).toEqual([
      { words: '(junba:* | runba)' },
    ]);
    expect(looseMatches(askedOf('zumba dance'), new Map())).toEqual([{ words: '((junba)) | ((danse))' }]);
  });
});
