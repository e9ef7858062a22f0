import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Ways around Fastify to replace its request listener, which its hooks rely on (docs/decisions/0040-documented-hooks.md); `serverFactory` is Fastify's own. */
const replacement =
  /(?:removeAllListeners|removeListener|off|listeners|rawListeners|emit)\(\s*['"`]request['"`]/g;

/** The places in these files that replace or call the request listener, as sentences. */
export function replacedListeners(files: { path: string; source: string }[]): string[] {
  return files.flatMap(({ path, source }) =>
    [...source.matchAll(replacement)].map(
      ([found]) =>
        `${path} takes over the request listener (${found}); use a hook or the serverFactory of Fastify instead.`,
    ),
  );
}

/** The violations in the server, for `npm run check`. */
export function listenersReplaced(): string[] {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const paths = globSync('server/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] });
  return replacedListeners(paths.map((path) => ({ path, source: readFileSync(`${root}/${path}`, 'utf8') })));
}
