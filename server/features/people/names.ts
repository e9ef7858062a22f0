import reservedWords from 'reserved-usernames' with { type: 'json' };
import { siteUsername } from '#contract/accounts.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { areAlike, lookKey } from './look-alikes.ts';

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
  'console',
  'contact',
  'deleteuser',
  'downloadapp',
  'earningactivity',
  'earningdashboard',
  'earninghistory',
  'earninginfo',
  'embed',
  'feedback',
  'forgotpassword',
  'linkdownloader',
  'loginemail',
  'logingoogle',
  'media',
  'offline',
  'payoutdestination',
  'photopost',
  'post',
  'privacypolicy',
  'reelpost',
  'reelpostbylink',
  'report',
  'resetpassword',
  'search',
  'settings',
  'showposts',
  'signupform',
  'story',
  'storypost',
  'tag',
  'user',
  'userprofile',
  'verifyemail',
  'videoplayer',
];
const reserved = Map.groupBy([...siteWords, ...reservedWords], lookKey);
const isReserved = (username: string) =>
  reserved.get(lookKey(username))?.some((word) => areAlike(word, username)) ?? false;

/** Why this cannot be a new username; undefined if it can. */
export function usernameProblem(username: string): Refusal | undefined {
  if (!/[\p{L}\p{N}]/u.test(username)) return new Refusal('name_refused', { what: 'letters' }, 'username');
  if (isReserved(username)) return new Refusal('name_refused', { what: 'reserved' }, 'username');
  if (/\p{Default_Ignorable_Code_Point}/u.test(username) || withoutHidden(username) !== username)
    return hidden('username');
  if (/^\.|\.\.|\.$/.test(username)) return new Refusal('name_refused', { what: 'dots' }, 'username');
  if (needlessMarks.test(username.normalize('NFC')))
    return new Refusal('name_refused', { what: 'marks' }, 'username');
  if (!isOneScript(username)) return new Refusal('name_refused', { what: 'username' }, 'username');
  return undefined;
}

/** Why this cannot be a new display name; undefined if it can. */
export function nameProblem(name: string): Refusal | undefined {
  if (withoutHidden(name) !== name) return hidden('name');
  if (!isOneScript(name) && !latinBesideIndian.some((scripts) => scripts.test(name.normalize('NFC'))))
    return new Refusal('name_refused', { what: 'name' }, 'name');
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

const hidden = (field: string) => new Refusal('name_refused', { what: 'hidden' }, field);

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
  new RegExp(
    `^[${['Common', 'Inherited', ...scripts].map((script) => `\\p{scx=${script}}`).join('')}]*$`,
    'u',
  );
const oneScript = [
  ...[...indian, ...others].map((script) => only(script)),
  ...together.map((all) => only(...all)),
];
const latinBesideIndian = indian.map((script) => only('Latin', script));

export function isOneScript(name: string): boolean {
  return oneScript.some((script) => script.test(name.normalize('NFC')));
}

/**
 * Marks without a letter, and more on one letter than any script of India has: nukta, vowel sign and candrabindu. After a virama the next
 * letter follows.
 */
const needlessMarks = /(?<![\p{L}\p{M}])\p{M}|\p{M}{4}/u;

/** Leaves out marks with which a text could not be a username. */
export function withoutNeedlessMarks(text: string): string {
  return text.normalize('NFC').replaceAll(/(?<![\p{L}\p{M}])\p{M}+|(?<=\p{M}{3})\p{M}+/gu, '');
}

/**
 * What is drawn as nothing or changes other characters, by its Unicode properties, but for the two blank symbols without such a property. It is
 * needed, and stays, in the group: joiners of Indian scripts, Arabic and emoji, variation selectors of emoji and of Han, flags such as that
 * of England, and emoji that this version of Unicode does not know yet.
 */
const hiddenCharacters =
  /((?<=[[\p{M}--[\u0300-\u036F]]\p{scx=Arabic}\p{Emoji_Modifier}\p{Extended_Pictographic}])[\u200C\u200D]|(?<=[\p{Extended_Pictographic}\d#*])[\uFE0E\uFE0F]|(?<=\p{Script=Han})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]|\p{RGI_Emoji_Tag_Sequence}|\p{Extended_Pictographic})|[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\u{1D159}]/gv;

/** The name without what is invisible and not needed. */
export function withoutHidden(name: string): string {
  return name.replaceAll(hiddenCharacters, '$1');
}
