import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface SourceFile {
  path: string;
  source: string;
}

/**
 * Every import of a piece of SQL from another feature, as a sentence. Rules answer with values: a condition that is handed over makes the query
 * of one feature depend on the tables of another one.
 */
export function sqlAcrossFeatures(files: SourceFile[]): string[] {
  const pieces = new Map<string, Set<string>>();
  for (const { path, source } of files) {
    const feature = featureOf(path);
    const names = [...source.matchAll(exported)].flatMap(([text, , name = '']) => (isSql(text) ? name : []));
    if (feature) pieces.set(feature, new Set([...(pieces.get(feature) ?? []), ...names]));
  }
  return files.flatMap(({ path, source }) =>
    [...source.matchAll(imports)].flatMap(([, names = '', from = '']) => {
      const other = featureOf(join(path, '..', from));
      if (!other || other === featureOf(path)) return [];
      return names
        .split(',')
        .map((name) => name.trim().split(' ')[0] ?? '')
        .filter((name) => pieces.get(other)?.has(name))
        .map((name) => `${path} imports the SQL ${name} of ${other}.`);
    }),
  );
}

/** An exported constant or function, up to the next one or an empty line. */
const exported = /^export (const|function) (\w+)(?:.|\n(?!\n|export ))*/gm;
const imports = /^import \{([^}]*)\} from '(\.[^']+)';$/gm;

const isSql = (text: string) =>
  /^export const \w+(?:: [^=]+)? =\s+(?:\([^=]*?\)(?:: [\w<>]+)? =>\s+)?sql[.<`]|\): (?:RawBuilder|Expression)\b/.test(
    text,
  );

const featureOf = (path: string) => /^server\/features\/([^/]+)\//.exec(path)?.[1];

/** Such imports in all features, for `npm run check`. */
export function sqlImports(): string[] {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const paths = globSync('server/features/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] });
  return sqlAcrossFeatures(paths.map((path) => ({ path, source: readFileSync(`${root}/${path}`, 'utf8') })));
}
