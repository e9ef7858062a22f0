import type { Transaction } from 'kysely';
import { categoryNames } from '#contract/category-names.ts';
import { languages } from '#contract/languages.ts';
import { tag } from '#contract/tags-and-mentions.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId } from '#server/platform/ids.ts';
import * as queries from './search-index.queries.ts';
import { searchWords } from './search-key.ts';

/** What is said of a work by its owner, by its categories, and in it. */
interface Work {
  kind: 'reel' | 'post';
  id: string;
  text: string;
  categories?: readonly string[];
  /** Keys of the words in all its captions. */
  said?: readonly string[];
}

/** Of a work; longer texts are indexed by their beginning. */
const wordsAtMost = 1000;
const tagsAtMost = 30;
/** Letters of a key. Longer words are no words. */
const longestKey = 40;

/** The names of a category in all languages. */
const namesOf = (id: string) => languages.map((lang) => categoryNames[lang][id] ?? '').join(' ');

interface Word {
  word: string;
  key: string;
}

/** The words of a text, each once. */
function distinct(words: Word[]): Word[] {
  const byKey = new Map(words.map((word) => [word.key, word]));
  return [...byKey.values()].filter(({ key }) => key.length <= longestKey).slice(0, wordsAtMost);
}

/** The key of a tag: its words without the signs between them. */
export const tagKey = (written: string) =>
  searchWords(written)
    .map(({ key }) => key)
    .join('')
    .slice(0, longestKey);

/** The tags in a text, each once, as they are written and with their keys. */
export function tagsIn(text: string): { label: string; key: string }[] {
  const all = [...text.matchAll(tag)].map(([, label = '']) => ({ label, key: tagKey(label) }));
  const byKey = new Map(all.filter(({ key }) => key !== '').map((one) => [one.key, one]));
  return [...byKey.values()].slice(0, tagsAtMost);
}

/** Makes a work searchable by its words, or changes them, in the transaction that publishes or changes it. */
export async function indexWork(
  trx: Transaction<Tables>,
  { kind, id, text, categories = [], said = [] }: Work,
  now: Date,
): Promise<void> {
  const tags = tagsIn(text);
  const own = distinct([...tags.map(({ label, key }) => ({ word: label, key })), ...searchWords(text)]);
  const ofCategories = distinct(searchWords(categories.map((one) => namesOf(one)).join(' ')));
  const keys = (words: Word[]) => words.map(({ key }) => key);
  const before = await queries.putEntry(trx, {
    ...{ id, kind, names: '' },
    words: { a: keys(own), b: keys(ofCategories), d: said },
  });
  await learn(trx, [...own, ...ofCategories]);
  await putTags(trx, { kind, id }, tags, now);
  await queries.deleteUnusedWords(trx, before);
}

/** Words of a text that a work is also searched by, as keys; they are learned as words that exist. */
export async function learnWords(trx: Transaction<Tables>, text: string): Promise<string[]> {
  const words = distinct(searchWords(text));
  await learn(trx, words);
  return words.map(({ key }) => key);
}

/** Makes a person searchable by their names, in the transaction that creates or renames the account. */
export async function indexPerson(
  trx: Transaction<Tables>,
  { id, name, username }: { id: string; name: string; username: string },
): Promise<void> {
  const words = distinct([...searchWords(name), ...searchWords(username)]);
  const keys = words.map(({ key }) => key);
  const names = [...keys, tagKey(username)].join(' ');
  const before = await queries.putEntry(trx, {
    id,
    kind: 'person',
    names,
    words: { a: [...keys, tagKey(username)], b: [], d: [] },
  });
  await learn(trx, words);
  await queries.deleteUnusedWords(trx, before);
}

/** Removes deleted works or people from the search, with the words that nothing else has. */
export async function removeFromIndex(trx: Transaction<Tables>, ids: readonly string[]): Promise<void> {
  await queries.deleteUnusedWords(trx, await queries.deleteEntries(trx, ids));
}

async function putTags(
  trx: Transaction<Tables>,
  work: { kind: 'reel' | 'post'; id: string },
  tags: readonly { label: string; key: string }[],
  now: Date,
): Promise<void> {
  const written = tags.map((one) => ({ id: newId(now), ...one }));
  const made = await queries.putTags(trx, work, written);
  for (const { id, key, label } of written.filter((one) => made.includes(one.id))) {
    const keys = [...new Set([key, ...searchWords(label).map((one) => one.key)])];
    await queries.putEntry(trx, { id, kind: 'tag', names: keys.join(' '), words: { a: keys, b: [], d: [] } });
  }
}

/** Numbers are no words by which others are corrected, and may be somebody's. */
const learn = (trx: Transaction<Tables>, words: readonly Word[]) =>
  queries.putWords(
    trx,
    words
      .filter(({ key }) => /^[a-z]{3,}$/.test(key))
      .map(({ word, key }) => ({ word: word.toLowerCase(), key }))
      .toSorted((one, other) => (one.key < other.key ? -1 : 1)),
  );
