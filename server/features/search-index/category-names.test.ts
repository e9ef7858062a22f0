import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { categoryNames } from './category-names.ts';

it('categories are searched by the names that the pages show', () => {
  const shown = ['en', 'hi'].map((lang): Record<string, string> => {
    const file = new URL(`../../../web/messages/${lang}.json`, import.meta.url);
    return JSON.parse(readFileSync(file, 'utf8'));
  });
  for (const { id, names } of categoryNames)
    expect(names).toEqual(shown.map((messages) => messages[`categoryName.${id}`]));
});
