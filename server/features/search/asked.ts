import { searchKey } from '../search-index/search-key.ts';

/** What somebody searches for. */
export interface Asked {
  /** As it was typed. */
  q: string;
  /** The keys of its words. The last one may be the beginning of a word. */
  words: readonly string[];
  /** Too few letters to search texts by. */
  isShort: boolean;
}

/** More words change nothing about what is found. */
const wordsAtMost = 6;

/** Words that say nothing about what is searched, as keys. */
const stopWords = new Set(
  searchKey(
    'a an and at by for from how in is me my of on the to with, ka ke ki ko se par aur hai hain mein men main ye yeh kaise kya',
  ).split(' '),
);

export function askedOf(q: string): Asked {
  const all = [...new Set(searchKey(q).split(' '))].filter((word) => word !== '' && word.length <= 40);
  const telling = all.filter((word) => !stopWords.has(word));
  const words = (telling.length > 0 ? telling : all).slice(0, wordsAtMost);
  return { q, words, isShort: words.join('').length <= 2 };
}
