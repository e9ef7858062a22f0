import { expect, it } from 'vitest';
import { notRun } from './not-run.ts';

const all = [
  'b/two.test.ts',
  'a/one.test.ts',
  'a/two.test.ts',
  'a/two.test.ts',
  'a/of/three.test.tsx',
  'c/x.test.ts',
];

it('of a folder that is partly run, each file that is not run is named', () => {
  expect(notRun(all, ['a/one.test.ts', 'b/two.test.ts', 'a/of/three.test.tsx', 'c/x.test.ts'])).toEqual([
    'a: two',
  ]);
});

it('a folder of which nothing runs is named with the number of its files, and folders in it are on their own', () => {
  expect(notRun(all, ['b/two.test.ts'])).toEqual(['a: none of 2', 'a/of: three', 'c: x']);
});

it('what runs in a folder of which other projects know no file is no fault', () => {
  expect(notRun(all, [...all, 'd/own.test.ts'])).toEqual([]);
});
