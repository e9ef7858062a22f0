import type { Messages } from '@lingui/core';
import { languageOr, languages, loadMessages, takeSiteWords } from '#web/messages/catalogues.ts';
import { setControls } from '../interactions/controls.ts';
import { onSite } from './controls.ts';

const files = import.meta.glob<Messages>('../../messages/onsite/*.json', { import: 'default' });

// Imported only where INTERACTIONS=web, before the first page is rendered: in every language on the server, in that of the page elsewhere.
setControls(onSite);
const shown = import.meta.env.SSR ? languages : [languageOr(document.documentElement.lang)];
await Promise.all(
  shown.map(async (lang) => {
    const [messages] = await Promise.all([
      files[`../../messages/onsite/${lang}.json`]?.(),
      loadMessages(lang),
    ]);
    takeSiteWords(lang, messages ?? {});
  }),
);
