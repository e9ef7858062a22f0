import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { categories, categoryGroups, categoryOf } from './categories.ts';

it('there are 42 categories under five headings, each with a picture of its own (specification §9, decisions §3)', () => {
  expect(new Set(categories.map(({ id }) => id)).size).toBe(42);
  expect(new Set(categories.map(({ name }) => name)).size).toBe(42);
  expect(new Set(categories.map(({ group }) => group))).toEqual(new Set(categoryGroups));
  for (const { id } of categories) {
    const image = categoryOf(id)?.image ?? '';
    expect(existsSync(new URL(`../web/public${image}`, import.meta.url)), image).toBe(true);
  }
});
