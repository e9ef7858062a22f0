import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { drawings } from './drawing.tsx';

it('every empty state that names a drawing has one in the file, and the file has no other', () => {
  const file = readFileSync(new URL('./drawings.svg', import.meta.url), 'utf8');
  const inFile = [...file.matchAll(/<symbol id="(\w+)"/g)].map(([, id]) => id);
  expect(inFile.toSorted()).toEqual([...drawings].toSorted());
});
