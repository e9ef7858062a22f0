import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { describe, expect, it } from 'vitest';
import { categories } from '#contract/categories.ts';
import { languages } from '#contract/languages.ts';
import { isolated } from '#contract/text-direction.ts';
import { categoryMessages, compiledMessage } from '#tools/compile-messages.ts';
import { newI18n } from './catalogues.ts';
import { dateStyles } from './dates.ts';

const here = new URL('.', import.meta.url);
const read = (file: string): Record<string, string> => JSON.parse(readFileSync(new URL(file, here), 'utf8'));
const files = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.json'),
);
/** The same messages in English. */
const englishOf = (file: string) => join(dirname(file), 'en.json');

describe.each(files)('the messages of %s', (file) => {
  const messages = read(file);

  it('are well-formed ICU messages', () => {
    for (const message of Object.values(messages)) expect(() => compileMessageOrThrow(message)).not.toThrow();
  });

  it('write dates by styles that we define: others are in the time zone of the browser', () => {
    const used = Object.values(messages).flatMap((message) =>
      [...message.matchAll(/\{\w+, date(?:, (\w+))?\}/g)].map(([, style]) => style),
    );
    expect(
      used.filter(
        (style) => ![...dateStyles, 'month', 'monthOnly', 'monthShort'].some((one) => one === style),
      ),
    ).toEqual([]);
  });

  it("exist in English too, except the server's reasons, which English shows as they are", () => {
    const english = read(englishOf(file));
    expect(Object.keys(english).filter((id) => id.startsWith('error.'))).toEqual([]);
    expect(Object.keys(messages).filter((id) => !(id in english) && !id.startsWith('error.'))).toEqual([]);
  });
});

/** Terms that must not be used, because the language has another term for the same thing, listed in brackets. */
const otherNames: Record<string, RegExp> = {
  // (log in)
  'en.json': /\bsign(?:ed|ing)?[ -]in\b/i,
  // (लॉग इन, लॉग आउट, पेज, डिवाइस, फ़ोटो, कमेंट, लाइक, शेयर, लोग, पेस्ट करें, राशि, गड़बड़ी, सिक्के)
  'hi.json': /लॉगिन|लॉगआउट|साइन इन|पृष्ठ|पन्न|उपकरण|तस्वीर|टिप्पण|पसंद|साझा|उपयोगकर्ता|चिपका|रकम|त्रुटि|कॉइन/,
};

it.each(files)('one thing has one term in %s', (file) => {
  const others = otherNames[basename(file)];
  expect(others).toBeDefined();
  expect(Object.entries(read(file)).filter(([, message]) => others?.test(message))).toEqual([]);
});

it.each(files)('the rules of earning have no number of their own in %s', (file) => {
  const rules = Object.entries(read(file)).filter(([id]) =>
    /^(?:earn|earnActivity|uncounted|unpaid)\./.test(id),
  );
  const isTyped = ([, message]: [string, string]) => /\d/.test(message.replaceAll(/IPv[46]|=\d+ \{/g, ''));
  expect(rules.filter(isTyped)).toEqual([]);
});

const web = fileURLToPath(new URL('..', here));
const sources = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(web, name), 'utf8'))
  .join('\n');
/** All of them in English. */
const english: Record<string, string> = Object.assign(
  {},
  ...files.filter((file) => file === englishOf(file)).map(read),
);

describe('every message', () => {
  it.each(files)('exists in %s', (file) => {
    const messages = read(file);
    expect(Object.keys(read(englishOf(file))).filter((id) => !messages[id])).toEqual([]);
  });

  it('is used', () => {
    // `category.group.${group}` uses all messages with this prefix.
    const begun = [...sources.matchAll(/`([\w-]+(?:\.[\w-]+)*\.)\$\{/g)].map(([, start]) => start ?? '');
    const isUsed = (id: string) =>
      new RegExp(`['"\`]${id.replaceAll('.', '\\.')}['"\`]`).test(sources) ||
      begun.some((start) => id.startsWith(start));
    expect(Object.keys(english).filter((id) => !isUsed(id))).toEqual([]);
  });

  it('exists if the code uses it', () => {
    const used = [...sources.matchAll(/\b(?:text|i18n\._)\(\s*'([\w-]+(?:\.[\w-]+)*)'/g)].map(
      ([, id]) => id ?? '',
    );
    expect(used.length).toBeGreaterThan(50);
    expect(used.filter((id) => !(id in english))).toEqual([]);
  });
});

it.each(languages)('every category has a name in %s', (lang) => {
  const names = categoryMessages(lang);
  expect(Object.keys(names)).toEqual(categories.map(({ id }) => `categoryName.${id}`));
  expect(Object.values(names).filter((name) => otherNames[`${lang}.json`]?.test(name) || !name)).toEqual([]);
});

describe('a value that somebody has written', () => {
  const i18n = newI18n({
    locale: 'en',
    messages: { en: { title: compiledMessage('{caption} · {name} on Jhalak') } },
  });

  it.each(['\u202ELIVE', '\u202DLIVE', '\u2066LIVE', '\u2067LIVE', '\u2068LIVE', '\u2069LIVE', 'جھلک!'])(
    'such as %j does not turn the rest of its sentence',
    (caption) => {
      const said = i18n._('title', { caption, name: 'asha' });
      expect(said).toBe(`${isolated(caption)} · asha on Jhalak`);
      expect(said).toMatch(/^\u2068[^\u202A-\u202E]*\u2069 · asha on Jhalak$/u);
    },
  );
});

describe('a short count in a message', () => {
  const said = (locale: string, locales: string | undefined, count: number) =>
    newI18n({
      locale,
      ...(locales && { locales }),
      messages: {
        [locale]: {
          views: compiledMessage(
            '{n, plural, one {{n, number, short} view} other {{n, number, short} views}}',
          ),
        },
      },
    })._('views', { n: count });

  it.each([
    ['en', undefined, 1, '1 view'],
    ['en', undefined, 1234, '1.2K views'],
    ['hi', undefined, 123_456, '1.2\u00a0लाख views'],
    ['en', 'en-IN', 123_456, '1.2L views'],
  ])('in %s, in figures of %s: %d is %s', (locale, locales, count, words) => {
    expect(said(locale, locales, count)).toBe(words);
  });
});
