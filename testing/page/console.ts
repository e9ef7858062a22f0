import { fireEvent } from '@testing-library/react';
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

/** A server of an operator, with the call that each page of the console makes. */
export function operatorsServer(role: OperatorRole = 'administrator') {
  const server = answerCalls();
  server.on(getSecondFactor, { ...factor, role });
  return server;
}

export const idOf = (nth: number) => `018f0000-0000-7000-8005-00000000000${nth}`;

export const press = (key: string) => fireEvent.keyDown(document.body, { key });
