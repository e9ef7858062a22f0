import { describe, expect, it } from 'vitest';
import { closed, isolated } from './text-direction.ts';

/** How many isolates, embeddings and overrides are open after each line; the first open one is the most that a sentence may have. */
function openAfter(text: string): number {
  let open = 0;
  for (const mark of text.matchAll(/[\u202A-\u202E\u2066-\u2069]/gu)) {
    open += mark[0] === '\u202C' || mark[0] === '\u2069' ? -1 : 1;
    if (open < 0) return Number.NaN;
  }
  return open;
}

const turned = [
  ['an override to the left', '\u202Eevil'],
  ['an override to the right', 'a\u202Dforced'],
  ['embeddings', '\u202Aone\u202Btwo'],
  ['an end without a beginning', 'one\u202Ctwo'],
  ['an isolate to the right', '\u2066one'],
  ['an isolate to the left', '\u2067one'],
  ['an isolate by the first letter', '\u2068one'],
  ['an end of an isolate without a beginning', '\u2069\u2069one\u2069'],
  ['isolates in isolates', '\u2067one\u2066two\u2069'],
  ['a sentence from right to left', 'جھلک پر خوش آمدید!'],
  ['a mark', 'one\u200F!'],
] as const;

describe('an isolated text', () => {
  it.each(turned)('with %s is a run of its own, in which everything is closed', (_, text) => {
    expect(isolated(text)).toMatch(/^\u2068[^\u202A-\u202E]*\u2069$/u);
    expect(openAfter(isolated(text))).toBe(0);
    // What follows is outside of it.
    expect(openAfter(isolated(text).slice(0, -1))).toBe(1);
  });

  it('keeps closed isolates and all letters', () => {
    expect(isolated('a \u2067جھلک\u2069 b')).toBe('\u2068a \u2067جھلک\u2069 b\u2069');
  });

  it('is isolated line by line, because a line ends every run', () => {
    expect(isolated('one\n\u202Etwo\r\nجھلک')).toBe('one\n\u2068two\u2069\r\n\u2068جھلک\u2069');
  });

  it.each(['', 'Asha Rao', 'आशा राव', 'क्\u200Dष 👩\u200D🎓', 'தமிழ்', '12.50'])(
    'that runs from left to right, such as %j, stays as it is',
    (text) => {
      expect(isolated(text)).toBe(text);
    },
  );

  it('may be isolated again', () => {
    expect(openAfter(isolated(`by ${isolated('\u202Eevil')}`))).toBe(0);
  });
});

it.each(turned)('a closed text with %s leaves nothing open', (_, text) => {
  expect(openAfter(closed(text))).toBe(0);
});
