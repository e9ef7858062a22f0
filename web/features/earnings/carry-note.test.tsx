import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { HistoryRecord } from '#contract/earnings.ts';
import { compiledMessage } from '#tools/compile-messages.ts';
import { newI18n } from '#web/messages/catalogues.ts';
import { TextProvider } from '#web/text.tsx';
import { CarryNote } from './carry-note.tsx';

const i18nIn = (lang: string) => {
  const file = new URL(`../../messages/payout/${lang}.json`, import.meta.url);
  const messages: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'));
  const compiled = Object.entries(messages).map(([id, message]) => [id, compiledMessage(message)]);
  return newI18n({ locale: lang, messages: { [lang]: Object.fromEntries(compiled) } });
};

/** A month of the history that can be withdrawn if it carries others. */
const monthOf = (monthKey: string, paise: number, ...carries: string[]) =>
  ({
    monthKey,
    paise,
    carries,
    carriedBy: null,
    withdrawable: carries.length > 0,
  }) as unknown as HistoryRecord;

/** The paragraphs of each month's note. */
function notesOf(months: HistoryRecord[], lang = 'en'): Record<string, string[]> {
  const notes = months.map((record) => {
    const html = renderToStaticMarkup(
      <TextProvider i18n={i18nIn(lang)}>
        <CarryNote record={record} months={months} withdrawals={[]} />
      </TextProvider>,
    );
    return [record.monthKey, [...html.matchAll(/<p[^>]*>([^<]*)<\/p>/g)].map(([, words = '']) => words)];
  });
  return Object.fromEntries(notes);
}

it.each([
  ['en', 'August 2026 is paid once, with the month that you withdraw first.'],
  ['hi', 'अगस्त 2026 का भुगतान एक ही बार होगा, उस महीने के साथ जिसे आप पहले निकालेंगे।'],
])('both months that offer to pay a small month say that it is paid once (%s)', (lang, sentence) => {
  const notes = notesOf(
    [monthOf('2026-10', 52, '2026-08'), monthOf('2026-09', 126, '2026-08'), monthOf('2026-08', 53)],
    lang,
  );
  expect(notes['2026-10']?.slice(1)).toEqual([sentence]);
  expect(notes['2026-09']?.slice(1)).toEqual([sentence]);
  expect(notes['2026-08']).toEqual([]);
});

it('a month that can be withdrawn and is offered with a later one is paid once too', () => {
  const sentence = 'September 2026 and August 2026 are paid once, with the month that you withdraw first.';
  const notes = notesOf([
    monthOf('2026-10', 60, '2026-08', '2026-09'),
    monthOf('2026-09', 60, '2026-08'),
    monthOf('2026-08', 60),
  ]);
  expect(notes['2026-10']?.slice(1)).toEqual([sentence]);
  expect(notes['2026-09']?.slice(1)).toEqual([sentence]);
});

it('a small month that only one other month offers to pay needs no such sentence', () => {
  const notes = notesOf([monthOf('2026-10', 60, '2026-08'), monthOf('2026-08', 60)]);
  expect(notes).toEqual({ '2026-10': ['Oct ₹0.60 + Aug ₹0.60'], '2026-08': [] });
});
