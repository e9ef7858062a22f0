import { readFileSync } from 'node:fs';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { DomUtils, parseDocument } from 'htmlparser2';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import type { EarningItem } from '#contract/earnings.ts';
import { compiledMessage } from '#tools/compile-messages.ts';
import { newI18n } from '#web/messages/catalogues.ts';
import { TextProvider } from '#web/text.tsx';
import { ItemLine } from './item-line.tsx';

const i18nIn = (lang: string) => {
  const read = (path: string): Record<string, string> =>
    JSON.parse(readFileSync(new URL(`../../messages/${path}/${lang}.json`, import.meta.url), 'utf8'));
  const messages = Object.entries({ ...read('.'), ...read('copies'), ...read('earnings') }).map(
    ([id, message]) => [id, compiledMessage(message)],
  );
  return newI18n({ locale: lang, messages: { [lang]: Object.fromEntries(messages) } });
};

const reel: EarningItem = {
  kind: 'reel',
  _id: '018f0000-0000-7000-8000-000000000000',
  caption: 'Rain',
  publishedAt: '2026-11-03T06:30:00Z',
  deletedAt: null,
  duplicate: true,
  copy: null,
  unpaid: null,
  publishedCoins: 0,
  shown: 0,
  watched: 0,
  counted: 0,
  countedCoins: 0,
  leftOver: 0,
  coins: 0,
  uncounted: [
    { reason: 'not_watched', count: 40 },
    { reason: 'repeated', count: 2 },
    { reason: 'own', count: 3 },
    { reason: 'bot', count: 1 },
    { reason: 'over_limit', count: 12 },
    { reason: 'copy', count: 5 },
    { reason: 'deleted', count: 6 },
  ],
};
const post: EarningItem = {
  ...reel,
  kind: 'post',
  uncounted: [
    { reason: 'own', count: 1 },
    { reason: 'copy', count: 5 },
    { reason: 'taken_back', count: 2 },
  ],
};

function htmlIn(lang: string, item: EarningItem): string {
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <TextProvider i18n={i18nIn(lang)}>
        <MemoryRouter>
          <ItemLine item={item} paid={50} />
        </MemoryRouter>
      </TextProvider>
    </QueryClientProvider>,
  );
}

/** Says of an item why it, and its views or likes, do not pay. */
function reasonsIn(lang: string, item: EarningItem): string[] {
  const html = htmlIn(lang, item);
  const lines = DomUtils.getElementsByTagName((name) => /^(p|li)$/.test(name), parseDocument(html), true)
    // The item itself is a list item, too.
    .filter((line) => DomUtils.getElementsByTagName('p', line.children, true).length === 0)
    .map((line) => DomUtils.textContent(line));
  // Caption, coins, and the day of the publication.
  return lines.slice(3);
}

it.each([
  [
    'en',
    [
      'This is a copy of an earlier work, so it earns nothing.',
      'Not counted',
      '40 swiped away too soon',
      '2 repeat views within a day',
      '3 views of your own',
      '1 bot view',
      '12 views: more than 1,000 of one viewer in a day, or more seconds than passed',
      '5 views: a copy of an earlier work',
      '6 views: deleted in the month it was published',
    ],
    ['1 like of your own', '5 likes: a copy of an earlier work', '2 likes taken back'],
  ],
  [
    'hi',
    [
      'यह किसी पुरानी रचना की प्रति है, इसलिए इससे कमाई नहीं होती।',
      'नहीं गिने गए',
      '40 बार जल्दी आगे बढ़ा दिया गया',
      'एक ही दिन में दोहराए गए 2 व्यू',
      'आपके अपने 3 व्यू',
      'बॉट के 1 व्यू',
      '12 व्यू: एक दर्शक के दिन में 1,000 से ज़्यादा, या बीते समय से ज़्यादा सेकंड के',
      '5 व्यू: पुरानी रचना की प्रति',
      '6 व्यू: प्रकाशित होने के महीने में ही हटाया गया',
    ],
    ['आपके अपने 1 लाइक', '5 लाइक: पुरानी रचना की प्रति', 'वापस लिए गए 2 लाइक'],
  ],
])('an item says in %s why its views and likes do not pay', (lang, ofReel, ofPost) => {
  expect(reasonsIn(lang, reel)).toEqual(ofReel);
  expect(reasonsIn(lang, post).slice(2)).toEqual(ofPost);
});

it('offers no review of a deleted work, but says what was decided about it', () => {
  const copyIn = (state: 'found' | 'asked' | 'waiting' | 'copy', deletedAt: string | null) =>
    htmlIn('en', {
      ...reel,
      deletedAt,
      copy: { of: null, state, reason: 'The same film' },
    });
  const deleted = '2026-11-04T06:30:00Z';
  expect(copyIn('found', null)).toContain('<button');
  for (const state of ['found', 'asked', 'waiting'] as const) {
    expect(copyIn(state, deleted)).toContain('This is a copy of an earlier work, so it earns nothing.');
    expect(copyIn(state, deleted)).not.toMatch(/<button|role="status"/);
  }
  expect(copyIn('copy', deleted)).toContain('The same film');
});
