import { expect, test } from 'vitest';
import { circlesIn, featureCircles } from './feature-circles.ts';

const file = (path: string, ...imported: string[]) => ({
  path: `server/features/${path}`,
  source: imported.map((from) => `import { one } from '${from}';\n`).join(''),
});

test('features that import one another, also through a third one, are refused', () => {
  const files = [
    file('views/views.ts', '../months/results.ts'),
    file('months/results.ts', '#server/features/payers/alone.ts'),
    file('payers/alone.ts', '../views/lease.ts'),
  ];
  expect(circlesIn(files)).toEqual(['These features import one another: months, payers, views.']);
});

test('a feature may import earlier ones, and its own files', () => {
  const files = [
    file('months/results.ts', './closing.ts', '../views/views.ts'),
    file('payers/alone.ts', '../months/results.ts', '../views/views.ts', '#server/platform/clock.ts'),
  ];
  expect(circlesIn(files)).toEqual([]);
});

test('the features import one another in no circle', () => {
  expect(featureCircles()).toEqual([]);
});
