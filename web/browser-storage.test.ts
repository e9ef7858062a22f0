import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { browserStorage } from './browser-storage.ts';
import { consoleKeys } from './features/console/storage-keys.ts';
import { cacheNames, storageKeys } from './storage-keys.ts';

const lists = { storageKeys, consoleKeys, cacheNames };

const web = fileURLToPath(new URL('.', import.meta.url));
const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

const onPage = browserStorage.flatMap(({ names }) => names);
const isOnPage = (name: string) =>
  onPage.some((one) => (one.endsWith('…') ? name.startsWith(one.slice(0, -1)) : name === one));

describe('the privacy page', () => {
  it.each(Object.values(lists).flatMap((list) => Object.values(list)))('names %s', (name) => {
    expect(isOnPage(name)).toBe(true);
  });

  it('names every cache of the service worker', () => {
    const names = read('public/service-worker.js').match(/(?<=')jhalak-[\w-]+(?=')/g) ?? [];
    expect(names).toEqual(expect.arrayContaining(Object.values(cacheNames)));
    expect(names.length).toBeGreaterThan(2);
    expect(names.filter((name) => !isOnPage(name))).toEqual([]);
  });
});

describe('code of the pages', () => {
  const writes = globSync('**/*.{ts,tsx}', { cwd: web, exclude: ['**/*.test.*'] }).flatMap((file) =>
    [
      ...read(file).matchAll(
        /\b(?:setItem|caches\s*\.open|indexedDB\s*\.open|document\.cookie =)\(?\s*([^,)]*)/g,
      ),
    ].map(([, name = '']) => ({ file, name })),
  );

  it('stores data only under names of the lists', () => {
    expect(writes.length).toBeGreaterThan(10);
    expect(
      writes.filter(({ name }) => !Object.keys(lists).some((list) => name.startsWith(`${list}.`))),
    ).toEqual([]);
  });

  it('uses every name of the list', () => {
    const used = writes.map(({ name }) => /^\w+\.\w+/.exec(name)?.[0]);
    for (const key of Object.keys(storageKeys)) expect(used).toContain(`storageKeys.${key}`);
  });
});
