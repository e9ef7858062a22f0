import reservedWords from 'reserved-usernames' with { type: 'json' };
import { siteUsername } from '#contract/accounts.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { foldCase } from './fold-case.ts';

/*
 * Names that can be mistaken for other names (decision 0049): reserved words, invisible characters, marks that change the direction of
 * text, and letters of several scripts, after Unicode UTS 39. Only new names are checked: existing names stay.
 */

/** First path segments of this site's pages and endpoints. */
export const siteWords = [
  siteUsername,
  'about',
  'activity',
  'allusers',
  'api',
  'assets',
  'category',
  'contact',
  'deleteuser',
  'downloadapp',
  'earningactivity',
  'earningdashboard',
  'earninghistory',
  'earninginfo',
  'feedback',
  'forgotpassword',
  'linkdownloader',
  'loginemail',
  'logingoogle',
  'media',
  'offline',
  'payoutdestination',
  'photopost',
  'privacypolicy',
  'reelpost',
  'reelpostbylink',
  'resetpassword',
  'settings',
  'showposts',
  'signupform',
  'storypost',
  'user',
  'userprofile',
  'verifyemail',
  'videoplayer',
];
const reserved: ReadonlySet<string> = new Set([...siteWords, ...reservedWords]);

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
    [...letters].map((letter, place): [string, string] => [letter, latin[place] ?? '']),
  ),
);
const readAsLatin = (username: string) =>
  foldCase([...username.normalize('NFKC')].map((letter) => looksLike.get(letter) ?? letter).join(''));

/** Why this cannot be a new username; undefined if it can. */
export function usernameProblem(username: string): Refusal | undefined {
  if (!/[\p{L}\p{N}]/u.test(username))
    return new Refusal('name_refused', 'A username needs a letter or a digit.', 'username');
  if (reserved.has(foldCase(username)) || reserved.has(readAsLatin(username)))
    return new Refusal('name_refused', 'This username is reserved. Please choose another one.', 'username');
  if (/\p{Default_Ignorable_Code_Point}/u.test(username) || hasHiddenCharacters(username))
    return hidden('username');
  if (!isOneScript(username))
    return new Refusal(
      'name_refused',
      'Please write your username in the letters of one script.',
      'username',
    );
  return undefined;
}

/** Why this cannot be a new display name; undefined if it can. */
export function nameProblem(name: string): Refusal | undefined {
  if (hasHiddenCharacters(name)) return hidden('name');
  if (!isOneScript(name) && !latinBesideIndian.some((scripts) => scripts.test(name.normalize('NFC'))))
    return new Refusal(
      'name_refused',
      'Please write your name in one script, or in Latin letters beside one Indian script.',
      'name',
    );
  return undefined;
}

/** Throws if one of the new names is refused; reports each of them. */
export function refuseNames({
  name,
  username,
}: {
  name?: string | undefined;
  username?: string | undefined;
}): void {
  const problems = [
    name === undefined ? undefined : nameProblem(name),
    username === undefined ? undefined : usernameProblem(username),
  ].filter((problem) => problem !== undefined);
  const [first, ...others] = problems;
  if (!first) return;
  if (others.length > 0) first.others = others;
  throw first;
}

const hidden = (field: string) =>
  new Refusal(
    'name_refused',
    'A name cannot have invisible characters or marks that turn the direction of text.',
    field,
  );

/** The scripts of India's scheduled languages; Arabic is that of Urdu, Kashmiri and Sindhi. */
const indian = [
  'Arabic',
  'Bengali',
  'Devanagari',
  'Gujarati',
  'Gurmukhi',
  'Kannada',
  'Malayalam',
  'Meetei_Mayek',
  'Ol_Chiki',
  'Oriya',
  'Tamil',
  'Telugu',
];
/** The other scripts that UAX 31 recommends for identifiers. */
const others = [
  'Armenian',
  'Cyrillic',
  'Ethiopic',
  'Georgian',
  'Greek',
  'Hebrew',
  'Khmer',
  'Lao',
  'Latin',
  'Myanmar',
  'Sinhala',
  'Thaana',
  'Thai',
  'Tibetan',
];
/** Scripts that are normally mixed in one language count as one. */
const together = [
  ['Han', 'Bopomofo'],
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
];
const only = (...scripts: string[]) =>
  new RegExp(`^[${['Common', 'Inherited', ...scripts].map((one) => `\\p{scx=${one}}`).join('')}]*$`, 'u');
const oneScript = [...[...indian, ...others].map((one) => only(one)), ...together.map((all) => only(...all))];
const latinBesideIndian = indian.map((one) => only('Latin', one));

export function isOneScript(name: string): boolean {
  return oneScript.some((script) => script.test(name.normalize('NFC')));
}

/** Joiners that Indian scripts, Arabic and emoji need, and the mark that makes a character an emoji. */
const needed =
  /(?<=[\p{M}\p{scx=Arabic}\p{Emoji_Modifier}\p{Extended_Pictographic}])[\u200C\u200D]|(?<=[\p{Extended_Pictographic}\d#*])\uFE0F/gu;

function hasHiddenCharacters(name: string): boolean {
  return /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\p{Zl}\p{Zp}\u2800]/u.test(
    name.replaceAll(needed, ''),
  );
}
