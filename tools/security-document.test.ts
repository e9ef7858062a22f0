import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

it.each(['SECURITY.md', 'docs/operating.md'])('%s names only what is there', (name) => {
  const text = read(name);
  const tests = [...text.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, path = '']) => path);
  const base = new URL(`../${name}`, import.meta.url);
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => new URL(path, base));
  expect(tests.length + links.length).toBeGreaterThan(0);
  const missing = [...tests.map((path) => new URL(`../${path}`, import.meta.url)), ...links].filter(
    (place) => !existsSync(place),
  );
  expect(missing.map(({ pathname }) => pathname)).toEqual([]);
});
