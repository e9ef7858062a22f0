import { fireEvent } from '@testing-library/react';
import { countCases, showEvidence } from '#contract/cases.ts';
import { getFigures } from '#contract/figures.ts';
import type { OperatorRole } from '#contract/roles.ts';
import { getSecondFactor } from '#contract/second-factor.ts';
import { answerCalls } from './answers.ts';
import { showPage } from './show-page.tsx';
import { zoya } from './things.ts';

/** Shows the console to an operator. */
export const openConsole = (search = '', lang: 'en' | 'hi' = 'en') =>
  showPage({
    page: () => import('#web/pages/console.tsx'),
    address: `/Console${search}`,
    person: zoya,
    lang,
  });

export const factor = {
  ...{ required: true, role: 'administrator' as const },
  ...{ enrolledAt: '2026-11-01T06:00:00Z', given: true, recoveryCodes: 10 },
};

/** A server of an operator, with the calls that each page of the console or each list of cases makes, and a site without figures. */
export function operatorsServer(role: OperatorRole = 'administrator') {
  const server = answerCalls();
  server.on(getSecondFactor, { ...factor, role });
  server.on(showEvidence, new Response('a picture'));
  server.on(getFigures, { data: [], countedAt: null });
  server.on(countCases, {
    data: {
      state: { open: 1001, mine: 0, muted: 2 },
      kind: { reel: 1001, post: 12, story: 0, comment: 0, person: 3, appeal: 0 },
      language: { en: 1001, hi: 4, other: 0 },
    },
  });
  return server;
}

export const idOf = (nth: number) => `018f0000-0000-7000-8005-00000000000${nth}`;

export const press = (key: string) => fireEvent.keyDown(document.body, { key });
