import { asciiDigits } from './digits.ts';
import { invalid } from './invalid.ts';

/** People copy numbers that contain spaces, and type them in their own script. */
const compact = (value: string) => asciiDigits(value).replaceAll(/[\s-]/g, '');

/** The format of each field, without separators that people add. */
export const grammar = {
  vpa: {
    clean: (value: string) => asciiDigits(value).trim().toLowerCase(),
    pattern: /^[a-z0-9][a-z0-9._-]{1,190}@[a-z][a-z0-9]{1,63}$/,
    message: invalid('upi'),
  },
  account: {
    clean: compact,
    pattern: /^\d{9,18}$/,
    message: invalid('account'),
  },
  ifsc: {
    clean: (value: string) => compact(value).toUpperCase(),
    pattern: /^[A-Z]{4}0[A-Z0-9]{6}$/,
    message: invalid('ifsc'),
  },
  name: {
    // Signs that are not seen, such as those that turn the direction of text, belong to no name.
    clean: (value: string) =>
      value
        .normalize('NFKC')
        .replaceAll(/\p{Cf}/gu, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    // A file for the payer is opened as a table, where what begins with a sign could be a formula.
    pattern: /^(?=.*\p{L})[\p{L}\p{N}].{1,99}$/u,
    message: invalid('payee'),
  },
} as const;
export type DestinationField = keyof typeof grammar;

/** Signs in names that banks print, such as `M/S A2Z TRADERS`, `SHARMA & SONS (HUF)` or `A, B & CO`. */
const notInNames = /[^\p{L}\p{M}\p{N} .,'’&()/_:+-]/u;

/** A character as it is written in a sentence; one that cannot be seen as its code. */
const shown = (character: string) =>
  /\p{C}/u.test(character)
    ? `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    : character;

/** A field without separators that people add. */
export const cleanField = (field: DestinationField, typed: string | undefined) =>
  grammar[field].clean(typed ?? '');

/** Why a cleaned field is refused. */
export function problemOf(field: DestinationField, value: string): string | undefined {
  const [character] = (field === 'name' && notInNames.exec(value)) || [];
  if (character !== undefined) return invalid('payee_character', { character: shown(character) });
  const ifsc = field === 'ifsc' && ifscWithZero(value);
  if (ifsc) return invalid('ifsc_zero', { ifsc });
  const { pattern, message } = grammar[field];
  return pattern.test(value) ? undefined : message;
}

/** What an IFSC typed with the letter O in the place of its zero was meant to be. */
export function ifscWithZero(typed: string): string | undefined {
  const ifsc = cleanField('ifsc', typed).replace(/^([A-Z]{4})O/, (_, bank) => `${bank}0`);
  return ifsc !== cleanField('ifsc', typed) && grammar.ifsc.pattern.test(ifsc) ? ifsc : undefined;
}

/** Whether two fields contain the same UPI id or account number, however it is typed. */
export const isSameNumber = (number: string, other: string) =>
  compact(number).toLowerCase() === compact(other).toLowerCase();
