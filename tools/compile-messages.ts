import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';
import { categoryNames } from '#contract/category-names.ts';
import type { Language } from '#contract/languages.ts';

const ownStyles = new Set(['number short', 'number narrow', 'date day', 'date moment']);

/**
 * Compiles the ICU catalogues at build time, so that browsers load no message parser. Messages that a language
 * does not have yet are shown in English.
 */
export function compiledMessages(): Plugin {
  return {
    name: 'jhalak:messages',
    enforce: 'pre',
    transform(source, id) {
      if (!/\/web\/messages\/(?:\w+\/)?\w+\.json$/.test(id)) return;
      const english = readFileSync(join(dirname(id), 'en.json'), 'utf8');
      const messages: Record<string, string> = {
        ...JSON.parse(english),
        ...JSON.parse(source),
        ...(dirname(id).endsWith('/web/messages') ? categoryMessages(basename(id, '.json')) : {}),
      };
      const compiled = Object.entries(messages).map(([key, message]) => [key, compiledMessage(message)]);
      return { code: JSON.stringify(Object.fromEntries(compiled)), map: null };
    },
  };
}

/** The names of the categories, which the search needs, too, as messages of pages. */
export function categoryMessages(lang: string): Record<string, string> {
  const names = Object.entries(categoryNames[lang as Language] ?? categoryNames.en);
  return Object.fromEntries(names.map(([id, name]) => [`categoryName.${id}`, name]));
}

type Token = string | [name: string, kind?: string, style?: string | Record<string, Token[] | undefined>];

/**
 * A message in Lingui's format. Our own formats become values that `newI18n` provides: `{views, number, short}` is `views short`,
 * `{at, date, day}` is `at day`, `{views, number}` is `views grouped`, and a plural selects by `views plural`.
 */
export function compiledMessage(message: string): CompiledMessage {
  const compiled = compileMessageOrThrow(message);
  return Array.isArray(compiled) ? (withOwnFormats(compiled as Token[]) as CompiledMessage) : compiled;
}

function withOwnFormats(tokens: Token[]): Token[] {
  return tokens.map((token) => {
    if (typeof token === 'string') return token;
    const [name, kind, style] = token;
    if (typeof style === 'object') {
      const cases = Object.entries(style).flatMap(([form, words]) =>
        words ? [[form, withOwnFormats(words)] as const] : [],
      );
      return kind === 'plural' ? selected(name, cases) : [name, 'select', Object.fromEntries(cases)];
    }
    if (ownStyles.has(`${kind} ${style}`)) return [`${name} ${style}`];
    return kind === 'number' && !style ? [`${name} grouped`] : token;
  });
}

/** A plural as a selection: first by the numbers that it names (`=0`), then by the form of the word. */
function selected(name: string, cases: (readonly [form: string, words: Token[]])[]): Token {
  const counted = cases.map(
    ([form, words]) =>
      [form, words.map((word): Token => (word === '#' ? [`${name} grouped`] : word))] as const,
  );
  const isNumber = ([form]: readonly [string, Token[]]) => /^\d+$/.test(form);
  const forms = Object.fromEntries(counted.filter((one) => !isNumber(one)));
  const byForm: Token = [`${name} plural`, 'select', forms];
  const numbers = counted.filter(isNumber);
  return numbers.length ? [name, 'select', { ...Object.fromEntries(numbers), other: [byForm] }] : byForm;
}
