const digit = /\p{Nd}/u;

/**
 * Replaces the digits of all scripts by 0 to 9: people type numbers on a Hindi, Arabic or Bengali keyboard, and phones paste full-width
 * ones. For each field in which a number is typed.
 */
export function asciiDigits(text: string): string {
  return text.replaceAll(/(?!\d)\p{Nd}/gu, (digit) => String(digitValue(digit.codePointAt(0) ?? 0)));
}

/** In Unicode the digits of a script are ten characters in a row, from 0 to 9; such rows may follow each other. */
function digitValue(code: number): number {
  let zero = code;
  while (digit.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}
