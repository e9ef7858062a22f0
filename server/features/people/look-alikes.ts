import { foldCase } from './fold-case.ts';

/*
 * Which usernames look alike (decision 0049). Two steps: equal keys, which an index finds, and then a comparison of the letters. The key alone
 * would be too coarse: "1" looks like "i" and like "l", but "ali" is not "all".
 */

/**
 * Letters that look like Latin ones: whole words can be written with them, such as with a Cyrillic ј, һ, а, ӏ, а and к. From the list of
 * UTS 39.
 */
const looksLike = new Map<string, string>(
  [
    ['АВСЕНІЈКӀМОРЅТУХҮԌԚԜаевгԁеёһіїјкӏмопрԛѕтусԝхүьԍ', 'ABCEHIJKlMOPSTYXYGQWaebrdeehiijklmonpqstycwxybg'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγεηικνορτυχωϳϲ', 'ABEZHIKMNOPTYXayenikvoptuxwjc'],
    ['ՍՕօսհոցյզքւլ', 'UOouhngjqpil'],
    ['ıɑɡɩ', 'iagi'],
  ].flatMap(([letters = '', latin = '']) =>
    [...letters].map((letter, index): [string, string] => [letter, latin[index] ?? '']),
  ),
);

/** A username as it is seen at a glance: in Latin letters if it looks like them, without accents, dots, dashes and underscores. */
function shapeOf(username: string): string {
  const latin = [...username.normalize('NFKC')].map((letter) => looksLike.get(letter) ?? letter).join('');
  // Among small letters, a capital I is an l or an i, as a 1 is.
  const seen = /\p{Ll}/u.test(latin) ? latin.replaceAll('I', '1') : latin;
  return foldCase(seen)
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F._-]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/** Usernames that look alike have the same key; not all that have the same key look alike. */
export function lookKey(username: string): string {
  return shapeOf(username).replaceAll('0', 'o').replaceAll(/[1i]/g, 'l');
}

/** Whether somebody may take one of two usernames with the same key for the other: they differ only in digits that look like letters. */
export function areAlike(name: string, other: string): boolean {
  if (lookKey(name) !== lookKey(other)) return false;
  const others = [...shapeOf(other)];
  return [...shapeOf(name)].every((letter, index) => !['il', 'li'].includes(`${letter}${others[index]}`));
}
