import { expect, it } from 'vitest';
import { i18nOf, languages, loadMessages } from './catalogues.ts';

it('a language that several modules wait for is loaded once, so that no part is lost', async () => {
  for (const lang of languages) {
    const first = loadMessages(lang).then(() => i18nOf(lang));
    const second = loadMessages(lang).then(() => i18nOf(lang));
    const both = await Promise.all([first, second]);
    expect(both[0]).toBe(both[1]);
    expect(i18nOf(lang)).toBe(both[0]);
  }
});
