import type { ErrorCode } from './errors.ts';
import type { Reason, ValuesOf } from './sentences.ts';

/*
 * Zod keeps only one text for a broken rule. So this text is the reason (code and params) as JSON, and the code that shows the error makes
 * the sentence from it. The browser needs some of these rules, so this file does not load the sentences.
 */

/** The message of a rule of a field: one of the sentences of `invalid_input`, with its values. */
export function invalid<W extends keyof ValuesOf<'invalid_input'>>(
  what: W,
  ...[values]: ValuesOf<'invalid_input'>[W]
): string {
  return messageOf({ code: 'invalid_input', params: { what, ...values } });
}

/** The message of a rule with a code of its own. */
export const messageOf = (reason: Reason<ErrorCode>): string => JSON.stringify(reason);

/** The reason in a message; undefined if the message is the library's own. */
export function reasonIn(message: string): Reason<ErrorCode> | undefined {
  return message.startsWith('{"code":') ? JSON.parse(message) : undefined;
}
