import type { Messages } from '@lingui/core';
import { i18nOf, languageOr, languages, loadMessages } from './catalogues.ts';

// Not one of the parts that every page can load: no script of a visitor has even the addresses of these files.
const files = import.meta.glob<Messages>('./console/*.json', { import: 'default' });

/** Loads what the console says, as `loadPart` does. */
export async function loadConsoleWords(): Promise<void> {
  const shown = import.meta.env.SSR ? languages : [languageOr(document.documentElement.lang)];
  await Promise.all(
    shown.map(async (lang) => {
      const [messages] = await Promise.all([files[`./console/${lang}.json`]?.(), loadMessages(lang)]);
      i18nOf(lang).load(lang, messages ?? {});
    }),
  );
}
