import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { retention } from '#contract/retention.ts';
import { compiledMessage } from '#tools/compile-messages.ts';
import { newI18n } from '#web/messages/catalogues.ts';
import { TextProvider } from '#web/text.tsx';
import { Retention } from './retention.tsx';

describe.each(['en', 'hi'])('the retention times, in %s', (lang) => {
  const messages: Record<string, string> = JSON.parse(
    readFileSync(new URL(`../../messages/privacy/${lang}.json`, import.meta.url), 'utf8'),
  );
  const compiled = Object.fromEntries(
    Object.entries(messages).map(([id, message]) => [id, compiledMessage(message)]),
  );
  const i18n = newI18n({ locale: lang, messages: { [lang]: compiled } });
  const shown = renderToStaticMarkup(
    <TextProvider i18n={i18n}>
      <Retention />
    </TextProvider>,
  );
  const rows = shown.split('</li>');

  it.each(Object.entries(retention))('%s is shown with its number', (name, value) => {
    const [id] =
      Object.entries(messages).find(
        ([id, message]) => id.startsWith('privacy.stored.') && message.includes(`{${name}, `),
      ) ?? [];
    expect(id).toBeDefined();
    const told = i18n._(id ?? '', retention);
    expect(told).toMatch(new RegExp(`\\b${value}\\b`));
    expect(rows.filter((row) => row.endsWith(told))).toHaveLength(1);
  });

  it('data that is stored without a limit is named', () => {
    for (const id of ['views', 'takenDown', 'rest', 'language'])
      expect(shown).toContain(messages[`privacy.stored.${id}`]);
  });
});
