import { basename, dirname } from 'node:path';

/**
 * One line for each folder of which not all test files run: `demo: none of 12`, or the names of those that do not. `all` and `run` are
 * paths of test files.
 */
export function notRun(all: readonly string[], run: readonly string[]): string[] {
  const folders = Map.groupBy(new Set(all), (file) => dirname(file));
  return [...folders.keys()].sort().flatMap((folder) => {
    const files = folders.get(folder)?.sort() ?? [];
    const left = files.filter((file) => !run.includes(file));
    if (left.length === 0) return [];
    const named = left.map((file) => basename(file).replace(/\.test\.tsx?$/, '')).join(', ');
    return [
      `${folder}: ${left.length === files.length && left.length > 1 ? `none of ${left.length}` : named}`,
    ];
  });
}
