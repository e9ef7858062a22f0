import type { I18n } from '@lingui/core';
import type { Reel } from '#contract/reels.ts';
import { formats } from '../message-formats.ts';
import { i18nOf } from './catalogues.ts';

/** What the server says of a failure: `error` in English, and what says the same in another language (contract/failure.ts). */
export interface Reason {
  code: string;
  params?: Record<string, string | number> | undefined;
  error: string;
}

/**
 * The one place that says a server's reason. A language that has `error.<code>` says it so; English has none of them, and
 * shows the server's sentence to the letter, as every language does with what it does not know.
 */
export function reasonIn(i18n: I18n, { code, params, error }: Reason): string {
  const id = `error.${code}`;
  if (!params || !(id in i18n.messages)) return error;
  const { month } = params;
  const values = { what: '', ...params, error, ...(month ? { month: new Date(`${month}-01`) } : {}) };
  return i18n._(id, values, { formats });
}

/** The same in the language of the page that is open. */
export function reasonHere(reason: Reason): string {
  return reasonIn(i18nOf(document.documentElement.lang), reason);
}

/** Why a reel could not be made ready, to its owner. */
export function whyFailed({
  failure,
  failureReason,
}: Pick<Reel, 'failure' | 'failureReason'>): string | null {
  return failure !== null && failureReason ? reasonHere({ ...failureReason, error: failure }) : failure;
}
