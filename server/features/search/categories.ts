import { categories } from '#contract/categories.ts';
import { categoryNames } from '#contract/category-names.ts';
import { languages } from '#contract/languages.ts';
import { searchKey } from '../search-index/search-key.ts';
import type { Asked } from './asked.ts';
import { distance } from './spelling.ts';

const keys = categories.map(({ id }) => ({
  id,
  names: languages.map((lang) => searchKey(categoryNames[lang][id] ?? '')),
}));

/** The ids of the categories by any part of a name, else by similar names. */
export function categoriesFor({ words, isShort }: Asked): string[] {
  const part = words.join(' ');
  if (part === '') return [];
  const begins = (name: string) => name.startsWith(part) || name.includes(` ${part}`);
  const contains = (name: string) => !isShort && name.includes(part);
  const exact = [
    ...keys.filter(({ names }) => names.some(begins)),
    ...keys.filter(({ names }) => !names.some(begins) && names.some(contains)),
  ];
  if (exact.length > 0 || isShort) return exact.map(({ id }) => id);
  return keys
    .filter(({ names }) => names.some((name) => distance(part, name) !== undefined))
    .map(({ id }) => id);
}
