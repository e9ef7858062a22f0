import type { I18n } from '@lingui/core';
import type { Sentence } from '#contract/failure.ts';
import type { Reel } from '#contract/reels.ts';
import { formats } from '../message-formats.ts';
import { i18nOf } from './catalogues.ts';

/**
 * Translates a sentence of the server. Languages with a message `error.<code>` use it; English has none and shows the
 * server's sentence, as every language does with an unknown code.
 */
export function reasonIn(i18n: I18n, { code, params, error }: Sentence): string {
  const id = `error.${code}`;
  if (!(id in i18n.messages)) return error;
  const { month } = params;
  const values = { what: '', ...params, error, ...(month ? { month: new Date(`${month}-01`) } : {}) };
  return i18n._(id, values, { formats });
}

/** Translates a reason to the language of the open page. */
export function reasonHere(reason: Sentence): string {
  return reasonIn(i18nOf(document.documentElement.lang), reason);
}

/** The reason why a reel could not be processed, for its owner. */
export function whyFailed({
  failure,
  failureReason,
}: Pick<Reel, 'failure' | 'failureReason'>): string | null {
  return failure !== null && failureReason ? reasonHere({ ...failureReason, error: failure }) : failure;
}
