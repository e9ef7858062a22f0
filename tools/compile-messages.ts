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

/**
 * A message in Lingui's format. Our own formats become values that `newI18n` provides: `{views, number, short}` is `views short`,
 * `{at, date, day}` is `at day`.
 */
export function compiledMessage(message: string): CompiledMessage {
  const own = (_: string, part: unknown) =>
    Array.isArray(part) && ownStyles.has(`${part[1]} ${part[2]}`) ? [`${part[0]} ${part[2]}`] : part;
  return JSON.parse(JSON.stringify(compileMessageOrThrow(message), own));
}
