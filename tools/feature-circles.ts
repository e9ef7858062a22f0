import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Every circle of features that import one another, as a sentence; of tests nothing is asked. */
export function circlesIn(files: { path: string; source: string }[]): string[] {
  const imported = new Map<string, Set<string>>();
  for (const { path, source } of files) {
    const feature = featureOf(path);
    for (const [, from = ''] of source.matchAll(/^(?:import|export)\s[^;]*?from '([.#][^']+)';$/gm)) {
      const other = featureOf(from.startsWith('#') ? from.slice(1) : join(path, '..', from));
      if (!feature || !other || other === feature) continue;
      imported.set(feature, (imported.get(feature) ?? new Set()).add(other));
    }
  }
  const circles = new Set(
    [...imported.keys()].flatMap((feature) => {
      const circle = [...imported.keys()].filter(
        (other) => reaches(imported, feature, other) && reaches(imported, other, feature),
      );
      return circle.length > 0 ? [circle.sort().join(', ')] : [];
    }),
  );
  return [...circles].map((circle) => `These features import one another: ${circle}.`);
}

const featureOf = (path: string) => /^server\/features\/([^/]+)\//.exec(path)?.[1];

/** Whether a feature imports another one, directly or through others. */
function reaches(imported: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set<string>();
  const next = [...(imported.get(from) ?? [])];
  for (let feature = next.pop(); feature !== undefined; feature = next.pop()) {
    if (feature === to) return true;
    if (seen.has(feature)) continue;
    seen.add(feature);
    next.push(...(imported.get(feature) ?? []));
  }
  return false;
}

/** The circles in all features, for `npm run check`. */
export function featureCircles(): string[] {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const paths = globSync('server/features/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] });
  return circlesIn(paths.map((path) => ({ path, source: readFileSync(`${root}/${path}`, 'utf8') })));
}
